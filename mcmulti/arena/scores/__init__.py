"""How good strategies are, by their games."""
