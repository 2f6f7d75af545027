"""The cluster in containers starts, where there is Docker and `MCMULTI_IMAGE` names an image of mcmulti."""

import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from tests.needs import found

COMPOSE = ["docker", "compose", "--file", str(Path(__file__).parents[2] / "deploy" / "citus" / "compose.yaml")]
SECONDS = 600


@pytest.fixture
def containers() -> Iterator[None]:
    """The services of the compose file, which takes the image from the environment."""
    assert found("MCMULTI_IMAGE")
    try:
        subprocess.run([*COMPOSE, "up", "--detach"], check=True, timeout=SECONDS)
        yield
    finally:
        subprocess.run([*COMPOSE, "down", "--volumes"], check=True, timeout=SECONDS)


@pytest.mark.needs("MCMULTI_IMAGE")
@pytest.mark.timeout(3 * SECONDS)
def test_the_servers_on_both_workers_are_ready(containers: None) -> None:
    for port in (8001, 8002):
        ready = _readiness(f"http://127.0.0.1:{port}/readyz")
        assert (ready["status"], ready["away"]) == ("ok", [])


def _readiness(url: str) -> dict[str, Any]:
    """The body of a server's response, as soon as it is 200."""
    last = time.monotonic() + SECONDS
    while True:
        try:
            with urlopen(url, timeout=60) as response:
                said: dict[str, Any] = json.load(response)
                return said
        except OSError:
            if time.monotonic() > last:
                raise
            time.sleep(1.0)
