"""Puzzles: positions with one clearly best move, as they are kept, and moves in words."""
