"""Many games between rule-based bots in compiled code."""
