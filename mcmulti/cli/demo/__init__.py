"""The demo: a server, bots that play a whole game over HTTP, and the proof that all was in order."""

from mcmulti.cli.demo.session import Options, demo

__all__ = ["Options", "demo"]
