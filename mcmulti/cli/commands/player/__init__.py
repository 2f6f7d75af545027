"""Commands for players: sit down at tables, move, watch, and manage tokens."""
