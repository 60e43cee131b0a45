"""What bots of The Island and Atlantis have in common."""
