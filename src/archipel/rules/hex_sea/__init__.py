"""What two games of islands, boats and swimmers on a board of hexagons have in common."""
