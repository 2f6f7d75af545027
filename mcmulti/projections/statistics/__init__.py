"""Statistics of games, and ratings."""
