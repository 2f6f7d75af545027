"""Features that several games can have beyond their own rules. Each is in one place, and a game lists those it has."""
