"""Streams: what goes on, sent as it happens."""
