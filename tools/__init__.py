"""Tools for developers. None of them is part of the package."""
