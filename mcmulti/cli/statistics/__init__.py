"""Statistics: counted in all games of a log, and shown as tables."""
