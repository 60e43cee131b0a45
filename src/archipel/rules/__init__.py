"""The rules of the games: pure functions without input, output, clock or generator."""
