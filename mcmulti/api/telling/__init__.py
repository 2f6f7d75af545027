"""Players, tables, and refusals in responses."""
