"""Measurements of the project, each runnable on its own: `python -m benchmarks.<name>`."""
