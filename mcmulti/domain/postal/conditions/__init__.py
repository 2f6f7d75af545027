"""Conditions in order sheets: what they ask, what is known about them in advance, and whether they hold."""
