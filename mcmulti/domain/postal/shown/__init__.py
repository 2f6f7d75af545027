"""What readers of a game see: the view, the board, the report of a round."""
