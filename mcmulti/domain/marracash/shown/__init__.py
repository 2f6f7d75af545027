"""What readers of a game see."""
