"""A magnate: a strategy for the box game that searches. It uses the rules, as a person does, but not the server."""
