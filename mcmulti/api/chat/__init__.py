"""Chat at tables: who may read and say what, and how it reaches those who follow a game."""
