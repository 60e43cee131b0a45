"""Fit evaluation and policy weights to self-play, and calibrate win probabilities."""
