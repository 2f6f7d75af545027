"""A toy game that has nothing in common with any other, and the engine with it plugged in."""
