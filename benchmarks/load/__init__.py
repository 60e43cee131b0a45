"""How the server does under load: ``python -m benchmarks.load``. On this machine only, bounded."""
