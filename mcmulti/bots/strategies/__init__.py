"""Strategies: how a bot chooses."""
