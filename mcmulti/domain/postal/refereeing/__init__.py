"""A round as the referee carries it out, phase by phase."""
