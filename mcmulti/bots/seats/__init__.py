"""What seats a strategy at a table and plays for it."""
