"""The store in PostgreSQL, a class a port."""
