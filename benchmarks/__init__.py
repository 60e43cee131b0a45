"""How fast the games run: ``python -m benchmarks``."""
