"""The proof of a game: its chain, its dice, its rules."""
