"""Email to players, handed to the operator's mail server."""
