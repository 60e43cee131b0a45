"""Bots in processes of their own: the house's workers, and programs in any language."""
