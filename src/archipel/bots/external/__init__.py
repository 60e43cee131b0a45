"""Bots in other processes: worker processes, and external programs in any language."""
