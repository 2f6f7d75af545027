"""The demo: a server, bots that play a whole game over HTTP, and the proof that all was in order."""
