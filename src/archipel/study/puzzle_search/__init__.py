"""Find puzzles in self-play."""
