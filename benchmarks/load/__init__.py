"""Load test of a local server: ``python -m benchmarks.load``."""
