"""A baseline that learns. It needs PyTorch (extra ``learn``)."""
