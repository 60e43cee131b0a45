"""Executors for independent tasks: threads, processes or a Ray cluster."""
