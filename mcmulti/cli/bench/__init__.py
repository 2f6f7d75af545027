"""Measuring a server from outside: games played in advance, a load generator, and what came of it."""
