"""Processes that a server starts next to itself: its own bots, reviews and hints, and the painter of images."""
