"""PPO baseline. It needs PyTorch (extra ``learn``)."""
