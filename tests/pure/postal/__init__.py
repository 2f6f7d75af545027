"""The rules of McMulti by post."""
