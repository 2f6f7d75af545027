"""What requests cost, counted: Python calls, SQL statements, bytes. ``python -m tests.guard`` writes the table."""
