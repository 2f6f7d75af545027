"""Encoders written for a game, each as `SUBJECT` in the module with the name of its rule set."""
