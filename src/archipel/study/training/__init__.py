"""Train evaluation nets by expert iteration (``archipel train``)."""
