"""Puzzles, made from bot games."""
