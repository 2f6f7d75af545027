"""What readers of a game see: views, pictures, figures, and what they may not know yet."""
