"""Bots: players that use only the server's HTTP API."""
