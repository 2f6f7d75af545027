"""Encoders that were written for a game, each as `SUBJECT` in the module that has the name of its rule set."""
