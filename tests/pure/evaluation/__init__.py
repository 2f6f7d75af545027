"""Winning chances and reviews."""
