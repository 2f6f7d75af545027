"""The phases of a round, in the order of the rulebook, and their common parts."""
