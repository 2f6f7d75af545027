"""What a demo shows of each game."""
