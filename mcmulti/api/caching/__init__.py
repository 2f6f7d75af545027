"""Caching of responses, by clients and by the server, and the tags that identify them."""
