"""The engine: a game's search, playouts and rules as one program that a browser runs too."""
