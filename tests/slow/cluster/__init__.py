"""Faults of a real Citus cluster: nodes that crash, stop, and hang, shards that move, nodes that join."""
