"""How fast the engine is, beside naive Python and beside plain C.

Run it with ``python -m benchmarks.engine``. It measures and prints, and never decides.
"""
