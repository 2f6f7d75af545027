"""What the rules of the oil games have in common."""
