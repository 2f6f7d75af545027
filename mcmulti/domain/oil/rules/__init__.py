"""The common rules of the oil games."""
