"""Support for reviews: the committed document, in short, and what changed in it."""
