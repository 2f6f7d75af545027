"""The news cards, and what they change: barrels, taxes, warming, prices for consumers."""
