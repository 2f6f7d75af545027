"""What the demo shows of each game."""
