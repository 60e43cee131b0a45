"""Mauna Kea."""
