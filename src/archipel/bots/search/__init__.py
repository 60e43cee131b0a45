"""Search: sequential halving with determinization, for any game."""
