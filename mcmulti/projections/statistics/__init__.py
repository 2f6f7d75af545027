"""Games in figures, and ratings."""
