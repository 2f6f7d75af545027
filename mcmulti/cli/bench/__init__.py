"""Measure a server from outside: games played in advance, a load generator, and the results."""
