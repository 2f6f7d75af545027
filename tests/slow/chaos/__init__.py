"""Servers under faults: what was acknowledged must be in the log, once, and the log must follow from the rules.

Run as ``python -m tests.slow.chaos --seconds 120 --seed 1``.
"""
