"""A server against a model of it: the same requests, and after every step the same to be seen."""
