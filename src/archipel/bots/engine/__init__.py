"""The engine: a game's search, rollouts and rules as one program that a browser can run."""
