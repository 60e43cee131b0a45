"""Bots for Atlantis."""
