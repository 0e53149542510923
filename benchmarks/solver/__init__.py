"""How often the solver wins and how fast it is, part by part.

Run it with ``python -m benchmarks.solver``. It measures and prints, and never decides.
"""
