"""Charts of a game."""
