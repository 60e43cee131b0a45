"""Reports and charts of study results."""
