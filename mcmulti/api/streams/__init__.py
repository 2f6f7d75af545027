"""Streams: news, sent as it happens."""
