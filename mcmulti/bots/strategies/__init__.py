"""Strategies: what a bot chooses."""
