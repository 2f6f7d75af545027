"""What answers say about players, tables, and refusals."""
