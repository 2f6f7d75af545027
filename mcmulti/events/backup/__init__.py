"""Backups of a database: make, check, and restore them, also as of an earlier moment."""
