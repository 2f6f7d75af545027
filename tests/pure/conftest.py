"""Tests within one process. Anything beyond it fails here: a socket, a database, another program."""

import socket
import subprocess
from collections.abc import Iterator
from typing import NoReturn
from unittest.mock import patch

import pytest


@pytest.fixture(autouse=True)
def alone() -> Iterator[None]:
    """Refuse to connect, to listen, and to start a program. Tests that need these belong one folder up."""

    def refuse(*_: object, **__: object) -> NoReturn:
        pytest.fail("this test reaches beyond its process: move it out of tests/pure")

    with (
        patch.object(socket.socket, "connect", refuse),
        patch.object(socket.socket, "bind", refuse),
        patch.object(subprocess.Popen, "__init__", refuse),
    ):
        yield
