"""The client that openapi-generator generates for Java, on Java's own HttpClient, which always offers h2c."""

import asyncio
from pathlib import Path

import pytest

from tests.clients.conftest import ROOT
from tests.clients.generator import CHOICES, Generator, assert_played
from tests.clients.tools import run
from tests.needs import found

PROGRAM = ROOT / "tests" / "clients" / "java" / "Games.java"
STUB = """package javax.annotation;
public @interface Generated { String[] value(); String comments() default ""; }
"""
"""The one name that the generated code takes from a library that is not in the generator's own archive."""


@pytest.fixture(scope="session")
def client(generator: Generator, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The generated client and the program on it, compiled against the libraries in the generator's archive."""
    folder = tmp_path_factory.mktemp("java")
    names = {"invokerPackage": "mcmulti", "apiPackage": "mcmulti.api", "modelPackage": "mcmulti.model"}
    generator.generate("java", folder, library="native", openApiNullable="false", **names)
    stub = folder / "Generated.java"
    stub.write_text(STUB)
    sources = sorted((folder / "src" / "main").rglob("*.java"))
    compiler = (found("javac"), "-proc:none", "-nowarn", "-classpath", generator.archive, "-d", folder / "classes")
    run(*compiler, stub, PROGRAM, *sources, folder=folder)
    return folder / "classes"


@pytest.mark.needs("java", "javac")
@pytest.mark.parametrize("ruleset", CHOICES)
async def test_whole_games_are_played_and_read(server: str, generator: Generator, client: Path, ruleset: str) -> None:
    command = (found("java"), "-classpath", f"{client}:{generator.archive}", "Games", server, ruleset)
    printed = await asyncio.to_thread(run, *command, folder=client)
    await assert_played(server, ruleset, printed)
