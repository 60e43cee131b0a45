"""Chaos tests: players at tables whose servers fail, and a checker of what the players saw."""
