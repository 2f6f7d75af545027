"""Who may ask for how much: callers, limits, seats."""
