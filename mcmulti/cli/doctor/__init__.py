"""Checks of an installation (its programs, its database, its games), and drills of backups."""
