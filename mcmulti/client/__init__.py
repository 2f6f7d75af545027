"""The client of our own HTTP API, and where games are read from."""
