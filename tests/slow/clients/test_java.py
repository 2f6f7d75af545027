"""The client that openapi-generator generates for Java, on Java's own HttpClient, which always offers h2c."""

import asyncio
from pathlib import Path

import pytest

from tests.needs import found
from tests.slow.clients.conftest import ROOT
from tests.slow.clients.generator import JVM, PLAYED, Generator, assert_played
from tests.slow.clients.tools import run

PROGRAMS = ROOT / "tests" / "slow" / "clients" / "java"
STUB = """package javax.annotation;
public @interface Generated { String[] value(); String comments() default ""; }
"""
"""The one name that the generated code takes from a library that is not in the generator's own archive."""


def compiled(generator: Generator, ruleset: str, folder: Path) -> Path:
    """The client of a rule set and the program on it, compiled against the libraries in the generator's archive."""
    stub = folder / "Generated.java"
    stub.write_text(STUB)
    programs = (PROGRAMS / "Games.java", PROGRAMS / ruleset / "Rules.java")
    sources = sorted((generator.client("java", ruleset) / "src" / "main").rglob("*.java"))
    quick = (f"-J{option}" for option in JVM)
    options = ("-proc:none", "-nowarn", "-classpath", generator.archive, "-d", folder / "classes")
    run(found("javac"), *quick, *options, stub, *programs, *sources, folder=folder)
    return folder / "classes"


@pytest.mark.needs("java", "javac")
@pytest.mark.parametrize("ruleset", PLAYED["java"])
async def test_games_are_played_and_read(server: str, generator: Generator, tmp_path: Path, ruleset: str) -> None:
    classes = compiled(generator, ruleset, tmp_path)
    java = (found("java"), *JVM, "-classpath", f"{classes}:{generator.archive}")
    command = (*java, "Games", server)
    printed = await asyncio.to_thread(run, *command, folder=classes)
    await assert_played(server, ruleset, printed)
