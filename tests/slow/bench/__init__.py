"""Every benchmark, at a tiny scale."""
