"""The container image: it is built, and a server runs in it as an ordinary user with a read-only root file system."""

import asyncio
import json
import subprocess
import tempfile
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from mcmulti.bots.seats.player import play
from mcmulti.bots.strategies.tycoon import tycoon
from mcmulti.client.client import Client
from mcmulti.server.process import bound
from tests.release.image import LOCK, PACKAGES, USER, Image, PackageGone, locked, renew, write
from tests.slow.deploy.container import Container, Unpacked, started, unpacked

pytestmark = pytest.mark.needs("bwrap", "mount", "runc", "strip")
ROOT = Path(__file__).parents[3]
LARGEST = 200_000_000
SECONDS = 120.0
IDENTITY = """
import os
print(*os.getresuid(), *os.getresgid(), *(line for line in open("/proc/self/status") if line.startswith("CapBnd")))
"""
ACCESS = """
import json, os
def found():
    for folder, names, files in os.walk("/"):
        names[:] = [name for name in names if os.path.join(folder, name) not in ("/proc", "/dev", "/sys")]
        for path in [folder, *(os.path.join(folder, name) for name in files)]:
            if not os.path.islink(path):
                yield path
print(json.dumps([
    sorted(path for path in found() if os.access(path, os.W_OK)),
    [path for path in found() if os.stat(path).st_mode & 0o6000],
]))
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that is gone after the test: it is large."""
    with tempfile.TemporaryDirectory(prefix="image-") as place:
        yield Path(place)


def _built(folder: Path) -> Image:
    """The image of the last commit. If Debian has replaced a package since it was locked, its successor is in it."""
    try:
        return write(folder)
    except PackageGone:
        renew(folder / "packages.lock")
        return write(folder, folder / "packages.lock")


@contextmanager
def _serving(name: str, files: Unpacked, folder: Path, data: Path) -> Iterator[tuple[Container, str]]:
    """A server in a container, with the arguments of the image and a free port."""
    with bound("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    arguments = [*files.config["Entrypoint"], *files.config["Cmd"], "--port", str(port)]
    container = started(name, files, folder, arguments, data)
    try:
        _ready(f"http://127.0.0.1:{port}", container)
        yield container, f"http://127.0.0.1:{port}"
    finally:
        container.end()
        print((folder / f"{name}.log").read_text("utf-8"))


def _ready(address: str, container: Container) -> None:
    """Wait until a server is ready."""
    deadline = time.monotonic() + SECONDS
    while True:
        assert container.process.poll() is None
        try:
            assert _answer(f"{address}/readyz")["status"] == "ok"
        except OSError:
            assert time.monotonic() < deadline
            time.sleep(0.2)
        else:
            return


def _answer(address: str) -> Any:
    with urlopen(address, timeout=60) as response:
        return json.load(response)


async def _played(address: str) -> tuple[str, int]:
    """Play a game to its end. Returns it with its last event."""
    async with Client(address) as one, Client(address) as two:
        await one.register("One")
        await two.register("Two")
        game = str((await one.open_game("mcmulti", seats=2))["game"])
        for client in (one, two):
            await client.take_seat(game)
        views = await asyncio.gather(play(one, game, tycoon), play(two, game, tycoon))
        assert [view["status"] for view in views] == ["finished", "finished"]
        return game, (await one.view(game))["seq"]


def _plays_stops_and_keeps_its_games(files: Unpacked, folder: Path) -> None:
    data = folder / "data"
    data.mkdir()
    with _serving("first", files, folder, data) as (container, address):
        game, last = asyncio.run(_played(address))
        kind, *checked = files.config["Healthcheck"]["Test"]
        asked = checked[-1].replace("http://127.0.0.1:8000", address)
        assert (kind, asked == checked[-1]) == ("CMD", False)
        container.run(*checked[:-1], asked)
        assert container.run("python", "-c", IDENTITY).split() == [str(USER)] * 6 + ["CapBnd:", "0" * 16]
        assert container.stop() == 0
    assert '"event":"stopped"' in (folder / "first.log").read_text("utf-8").splitlines()[-1]
    with _serving("second", files, folder, data) as (_, address):
        assert _answer(f"{address}/v1/games/{game}")["seq"] == last


def _is_small_and_says_what_it_is(image: Image, files: Unpacked) -> None:
    assert image.compressed < image.unpacked < LARGEST
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    commit = subprocess.run(("git", "rev-parse", "HEAD"), cwd=ROOT, check=True, capture_output=True, text=True)
    labels = {name.rpartition(".")[2]: value for name, value in files.config["Labels"].items()}
    assert (labels["version"], labels["revision"], labels["title"]) == (version, commit.stdout.strip(), "mcmulti")
    assert files.names == [image.name] == [f"localhost/mcmulti:{version}"]


def _lets_its_user_write_nothing_but_data(files: Unpacked, folder: Path) -> None:
    """Even if the root file system is not read-only. No program in it gives rights."""
    data = folder / "empty"
    data.mkdir()
    container = started("access", files, folder, ["python", "-c", ACCESS], data, locked=False)
    assert container.process.wait(SECONDS) == 0
    writable, privileged = json.loads((folder / "access.log").read_text("utf-8"))
    assert (writable, privileged) == (["/data", "/tmp", "/var/tmp"], [])


def _is_the_same_when_built_again(image: Image, folder: Path) -> None:
    again = folder / "again"
    again.mkdir()
    renewed = folder / "packages.lock"
    assert write(again, renewed if renewed.exists() else LOCK).digest == image.digest


def test_a_server_runs_in_the_image_of_the_last_commit(folder: Path) -> None:
    """One test, as it is built once for all of this, and once again."""
    image = _built(folder)
    files = unpacked(image, folder)
    _is_small_and_says_what_it_is(image, files)
    _lets_its_user_write_nothing_but_data(files, folder)
    _plays_stops_and_keeps_its_games(files, folder)
    _is_the_same_when_built_again(image, folder)


def test_the_list_of_its_packages_can_be_renewed(tmp_path: Path) -> None:
    renew(tmp_path / "packages.lock")
    for lock in (locked(), locked(tmp_path / "packages.lock")):
        assert [package.name for package in lock[1]] == sorted(PACKAGES)
