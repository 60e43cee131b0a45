"""Mutation testing of a game's rules: break them on purpose and see whether a test notices."""
