"""Strategies against each other: games in one process, many of them, and what they say of who plays better."""
