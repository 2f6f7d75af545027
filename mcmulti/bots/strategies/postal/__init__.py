"""Players of the game by post: each writes an order sheet from its view."""
