"""The demo: a server, bots that play a whole game over HTTP, and the proof of the game."""
