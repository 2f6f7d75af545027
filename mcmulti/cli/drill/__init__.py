"""Test whether a backup can be restored, and what would be lost."""
