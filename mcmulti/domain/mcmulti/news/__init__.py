"""The news cards and their effects: barrels, taxes, warming, consumer prices."""
