"""The HTTP API: thin, typed, documented routes. No rules, no SQL."""
