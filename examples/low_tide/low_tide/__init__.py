"""Low Tide: a small game of shells and waves, for Archipel."""
