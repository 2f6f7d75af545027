"""Reviews of finished games: ask for one, follow it, read it."""
