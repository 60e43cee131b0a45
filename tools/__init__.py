"""What the project's developers use; none of it is part of the package."""
