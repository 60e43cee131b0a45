"""Matches between bots in rotations with common random numbers, the ladder and its ratings."""
