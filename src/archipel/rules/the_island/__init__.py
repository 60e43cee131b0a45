"""The Island (2012)."""
