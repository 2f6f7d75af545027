"""The phases of a turn, and what they share."""
