"""A magnate: a strategy for the box game that searches. It knows the rules as a person does, and not the server."""
