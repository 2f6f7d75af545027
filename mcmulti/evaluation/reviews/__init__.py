"""What each decision of a game cost, in words, too; hints; and puzzles from decisions with one best move."""
