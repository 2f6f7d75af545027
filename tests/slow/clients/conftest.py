"""What the tests of generated clients need: a copy of what an author has, a server, and programs that must succeed."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.slow.clients.contracts import contract
from tests.slow.clients.generator import Generator, generate
from tests.slow.clients.tools import PATIENCE, copy_package, install, once, serving

ROOT = Path(__file__).parents[3]
GENERATED = ("mcmulti_client", "node_modules", "api.d.ts", "build", "__pycache__")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Generators and compilers take minutes on a busy machine."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.timeout(PATIENCE))


@pytest.fixture
def author(tmp_path: Path) -> Path:
    """A folder with the contract of the box game, the npm package, and the examples, and with nothing that was
    generated.
    """
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns(*GENERATED))
    copy_package(tmp_path)
    shutil.copy(contract("mcmulti"), tmp_path / "openapi")
    return tmp_path


@pytest.fixture
async def server(database: str) -> AsyncIterator[str]:
    """The address of a server."""
    async with serving(database) as address:
        yield address


@pytest.fixture(scope="session")
def generator(tmp_path_factory: pytest.TempPathFactory) -> Generator:
    """The openapi-generator that is locked, what its clients need, and these clients."""
    lock = ROOT / "tests" / "slow" / "clients" / "requirements.lock"
    packages = once(tmp_path_factory, "generator", lambda folder: install(lock, "--target", folder))
    return Generator(packages, once(tmp_path_factory, "clients", lambda folder: generate(packages, folder)))
