"""The rules: pure functions of state, command, and chance. No I/O, no clock, no randomness of their own."""
