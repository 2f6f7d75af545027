"""Commands of those who play: they sit down at tables, move, watch, and hold tokens."""
