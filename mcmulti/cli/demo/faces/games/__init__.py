"""Faces that were made for a game, each as `FACE` in the module that has the name of its rule set."""
