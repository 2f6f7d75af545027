"""Faces made for one game, each as `FACE` in the module named after its rule set."""
