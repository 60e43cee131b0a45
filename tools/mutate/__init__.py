"""Mutation testing: change a game's rules on purpose and check that a test fails."""
