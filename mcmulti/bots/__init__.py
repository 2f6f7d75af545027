"""Bots: players that know the server by its HTTP API alone."""
