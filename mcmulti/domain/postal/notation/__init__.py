"""The notation of order sheets: reading it, and writing it."""
