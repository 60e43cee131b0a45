"""Atlantis (1986)."""
