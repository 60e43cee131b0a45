"""Benchmark of a static site: visits by a slow device, and moves in the tab."""
