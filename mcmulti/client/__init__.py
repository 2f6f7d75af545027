"""The client of our own HTTP API, and sources of games."""
