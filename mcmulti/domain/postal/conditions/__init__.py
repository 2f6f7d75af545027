"""Conditions in order sheets: what they ask, what can be known of them, and whether they hold."""
