"""The books of a game for people: tables in the terminal."""
