"""What keeps events, and what every store has in common."""
