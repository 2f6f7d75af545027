"""The core that every game shares."""
