"""Replay a recorded game at a terminal: as text, and as an application to step through."""
