"""What the tests of generated clients need: a copy of what an author has, a server, and programs that must succeed."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mcmulti.api.app import ROUTES
from mcmulti.api.openapi import document
from mcmulti.api.openapi.committed import write
from mcmulti.domain.rulesets import CURRENT
from mcmulti.server.process import answering, bound, opened_log
from tests.slow.clients.generator import Generator
from tests.slow.clients.tools import install

ROOT = Path(__file__).parents[3]
GENERATED = ("mcmulti_client", "node_modules", "api.d.ts", "build", "__pycache__")


@pytest.fixture(scope="session")
def contracts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the contract, `openapi.json`, and with those of each rule set, as `make openapi` writes them."""
    folder = tmp_path_factory.mktemp("contracts")
    write(folder, document(ROUTES), {name: document(ROUTES, name) for name in CURRENT})
    return folder


@pytest.fixture
def author(tmp_path: Path, contracts: Path) -> Path:
    """A folder with the contract of the box game and the examples, and with nothing else that was generated."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns(*GENERATED))
    (tmp_path / "openapi").mkdir()
    shutil.copy(contracts / "mcmulti.json", tmp_path / "openapi")
    return tmp_path


@pytest.fixture
async def server(database: str) -> AsyncIterator[str]:
    """The address of a server."""
    with bound("127.0.0.1", 0) as listener:
        async with opened_log(database) as log, answering(log, listener) as address:
            yield address


@pytest.fixture(scope="session")
def generator(tmp_path_factory: pytest.TempPathFactory, contracts: Path) -> Generator:
    """The openapi-generator that is locked, and what its clients need."""
    packages = tmp_path_factory.mktemp("generator")
    install(ROOT / "tests" / "clients" / "requirements.lock", "--target", packages)
    return Generator(packages, contracts)
