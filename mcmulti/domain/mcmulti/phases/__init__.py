"""The phases of a turn, and their common parts."""
