"""Games as numbers: observations and actions."""
