"""Stores in memory, for simulation and tests: all is gone with the process."""
