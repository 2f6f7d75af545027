"""What happens in a turn: auctions, moves, customers, and what is done for who is away."""
