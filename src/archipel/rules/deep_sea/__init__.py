"""Deep Sea Adventure."""
