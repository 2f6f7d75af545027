"""The books of a game: ledger, statements, journals."""
