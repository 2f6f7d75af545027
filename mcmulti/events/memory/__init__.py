"""Stores in memory, for simulation and tests. Everything is lost with the process."""
