"""What readers of an oil game see."""
