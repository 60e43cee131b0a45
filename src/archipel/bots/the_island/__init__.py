"""Bots for The Island."""
