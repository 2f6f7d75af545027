"""Games as numbers: what is seen, and what may be done."""
