"""Search: thinking ahead in worlds that fit what one seat sees, in any game."""
