"""The clients that openapi-generator generates for TypeScript, with `fetch` and with Axios, and whole games on them."""

import shutil
from pathlib import Path

import pytest

from tests.needs import found
from tests.slow.clients.conftest import ROOT
from tests.slow.clients.generator import PLAYED, Generator
from tests.slow.clients.tools import once, run
from tests.slow.clients.typescript import assert_played, copied, prepared

pytestmark = pytest.mark.needs("java", "node", "npm")


LIBRARIES = ("typescript_fetch", "typescript_axios")


def packages(factory: pytest.TempPathFactory, library: str) -> Path:
    """The folder with the compiler."""
    source = ROOT / "tests" / "slow" / "clients" / library
    return once(factory, library, lambda folder: prepared(source, folder))


@pytest.mark.parametrize(("library", "ruleset"), [(each, game) for each in LIBRARIES for game in PLAYED[each]])
async def test_a_whole_game_is_played(
    tmp_path_factory: pytest.TempPathFactory, generator: Generator, server: str, library: str, ruleset: str
) -> None:
    folder = packages(tmp_path_factory, library)
    here = copied(library, ruleset, folder)
    shutil.copytree(generator.client(library.replace("_", "-"), ruleset), here / "client")
    run(found("npm"), "run", "build", "--", "--project", here, folder=folder)
    await assert_played(server, ruleset, here)
