"""The client that openapi-generator generates for Java."""

from pathlib import Path

import pytest

from tests.clients.conftest import ROOT
from tests.clients.tools import install, run
from tests.needs import found

STUB = """package javax.annotation;
public @interface Generated { String[] value(); String comments() default ""; }
"""
"""The one name that the generated code takes from a library that is not in the generator's own archive."""


@pytest.mark.needs("java", "javac")
def test_a_java_client_is_generated_and_compiles(tmp_path: Path) -> None:
    """It compiles against the libraries in the generator's archive, so that no further registry is needed."""
    install(ROOT / "tests" / "clients" / "requirements.lock", "--target", tmp_path / "generator")
    archive = tmp_path / "generator" / "openapi_generator_cli" / "openapi-generator.jar"
    client = tmp_path / "client"
    printed = run(
        *(
            found("java"),
            "-jar",
            archive,
            "generate",
            "--input-spec",
            ROOT / "openapi" / "openapi.json",
            "--output",
            client,
        ),
        *("--generator-name", "java", "--library", "native"),
        *("--additional-properties", "openApiNullable=false,hideGenerationTimestamp=true"),
        *("--global-property", "apiTests=false,modelTests=false,apiDocs=false,modelDocs=false"),
        folder=tmp_path,
    )
    assert "is incorrect" not in printed
    stub = tmp_path / "Generated.java"
    stub.write_text(STUB)
    sources = sorted((client / "src" / "main").rglob("*.java"))
    assert {source.stem for source in sources} >= {"PlayApi", "RollDice", "Offers", "McMultiView", "Problem"}
    compiler = (found("javac"), "-proc:none", "-nowarn", "-classpath", archive, "-d", tmp_path / "classes")
    run(*compiler, stub, *sources, folder=tmp_path)
