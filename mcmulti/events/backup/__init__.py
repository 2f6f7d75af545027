"""Backups of a database: made, checked, and restored, also up to an earlier moment."""
