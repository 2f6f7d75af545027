"""Statistics over all games of a log, and their tables."""
