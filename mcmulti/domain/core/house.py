"""House bots: who plays on for people that left, at tables which agreed on that."""

HOUSE = tuple(f"686f7573-6520-4626-8f74-{number:012x}" for number in range(1, 5))
"""The ids of house bots, the same on every server: nobody registers under them. Each may have a seat at a table."""
