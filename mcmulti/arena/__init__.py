"""Strategies against each other: many games in one process each, and what they show about who plays better."""
