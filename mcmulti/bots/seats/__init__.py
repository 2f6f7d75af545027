"""Seat a strategy at a table and play for it."""
