"""What readers of a game see: views, pictures, numbers, and what is hidden from them."""
