"""Ports of stores: one protocol for each kind of stored data."""
