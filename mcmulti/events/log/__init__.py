"""What an event is: its envelope, its bytes, its place in the hash chain."""
