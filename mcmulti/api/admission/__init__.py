"""Admission: callers, limits, seats."""
