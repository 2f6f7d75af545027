"""Games in which everything happens at random."""
