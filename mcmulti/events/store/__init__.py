"""The common parts of all stores of events."""
