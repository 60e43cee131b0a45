"""The rules and texts that The Island and Atlantis share."""
