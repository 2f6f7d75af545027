"""A server and a model of it: they get the same requests, and must look the same after every step."""
