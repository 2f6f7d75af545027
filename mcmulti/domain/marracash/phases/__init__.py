"""The phases of a turn: auctions, moves, customers, and default answers for absent players."""
