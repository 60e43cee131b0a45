"""What the browser client costs: time to the first picture, to a usable board, and per frame."""
