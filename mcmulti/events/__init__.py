"""The log: envelope, hash chain, and the places that keep it."""
