"""Pure functions of recorded events: what can be thrown away and made again."""
