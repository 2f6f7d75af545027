"""A server that sends messages, also to this machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.cli.command import PATIENCE, Command, running
from tests.cli.houses import Guests

OPTIONS = ("serve", "--port", "0", "--site", "http://127.0.0.1:8000", "--private-webhooks")


@contextmanager
def serving(temporary: Path, *options: str) -> Iterator[tuple[Command, Guests]]:
    with running(*OPTIONS, *options, temporary=temporary) as server:
        address = server.line("Serving at ")
        with httpx.Client(base_url=address, timeout=PATIENCE, trust_env=False) as client:
            yield server, Guests(client)
