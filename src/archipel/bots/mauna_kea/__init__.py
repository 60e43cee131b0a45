"""Bots for Mauna Kea."""
