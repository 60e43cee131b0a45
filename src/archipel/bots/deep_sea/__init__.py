"""Bots for Deep Sea Adventure."""
