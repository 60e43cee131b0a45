"""Bots at tables: which there are, the processes that run them, and when they move."""
