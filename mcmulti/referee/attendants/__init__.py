"""Attendants: additional work with commands, at tables whose terms need it."""
