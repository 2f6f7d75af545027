"""Puzzles: positions with one clearly best move."""
