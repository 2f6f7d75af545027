"""The store in PostgreSQL, one class per port."""
