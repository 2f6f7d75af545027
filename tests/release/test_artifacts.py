"""The files of a release: complete, described, and equal however often they are built."""

import hashlib
import json
import subprocess
import tarfile
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.release.artifacts import DIGESTS, LOCKS, ROOT, write

VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]


def git(*arguments: str) -> str:
    """What git prints about the checkout."""
    return subprocess.run(("git", *arguments), cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture(scope="module")
def commit() -> str:
    """The last commit, or one with what was changed since; that one is in no branch."""
    # Whether there are changes: `git stash create` fails on files that have only changed their owner.
    return git("stash", "create") if git("diff", "HEAD", "--name-only") else git("rev-parse", "HEAD")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, commit: str) -> Path:
    """A folder with the files of a release."""
    folder = tmp_path_factory.mktemp("release")
    write(folder, commit, npm=False)
    return folder


def sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def test_a_release_has_packages_with_their_bills_of_materials(built: Path) -> None:
    assert {file.name for file in built.iterdir()} == {
        DIGESTS,
        f"mcmulti-{VERSION}-py3-none-any.whl",
        f"mcmulti-{VERSION}.cdx.json",
        f"mcmulti-{VERSION}.intoto.json",
        f"mcmulti-{VERSION}.tar.gz",
        f"mcmulti_client-{VERSION}-py3-none-any.whl",
        f"mcmulti-client-{VERSION}.cdx.json",
        f"mcmulti-client-npm-{VERSION}.cdx.json",
    }
    with ZipFile(built / f"mcmulti-{VERSION}-py3-none-any.whl") as wheel:
        assert {"mcmulti/web/docs/README.md", "mcmulti/server/worker.py"} <= set(wheel.namelist())
    with tarfile.open(built / f"mcmulti-{VERSION}.tar.gz") as source:
        assert f"mcmulti-{VERSION}/mcmulti/server/worker.py" in source.getnames()
    whole, client = (
        {each["name"] for each in json.loads((built / f"{name}-{VERSION}.cdx.json").read_bytes())["components"]}
        for name in ("mcmulti", "mcmulti-client")
    )
    assert {"httpx", "msgspec"} <= client < whole
    assert {"litestar", "psycopg"} <= whole - client


def test_the_statement_names_every_package_and_what_it_was_built_from(built: Path, commit: str) -> None:
    statement = json.loads((built / f"mcmulti-{VERSION}.intoto.json").read_bytes())
    others = {DIGESTS, f"mcmulti-{VERSION}.intoto.json"}
    assert {each["name"]: each["digest"]["sha256"] for each in statement["subject"]} == {
        file.name: sha256(file) for file in built.iterdir() if file.name not in others
    }
    source, *locks = statement["predicate"]["buildDefinition"]["resolvedDependencies"]
    assert source == {"name": "mcmulti", "digest": {"gitCommit": commit}}
    assert {each["name"]: each["digest"]["sha256"] for each in locks} == {name: sha256(ROOT / name) for name in LOCKS}


def test_the_digests_are_those_that_sha256sum_checks(built: Path) -> None:
    told = subprocess.run(("sha256sum", "--check", DIGESTS), cwd=built, check=True, capture_output=True, text=True)
    assert len(told.stdout.splitlines()) == len(list(built.iterdir())) - 1


def test_a_second_build_has_the_same_bytes(built: Path, commit: str, tmp_path: Path) -> None:
    again = write(tmp_path, commit, npm=False)
    assert {file.name: file.read_bytes() for file in again} == {
        file.name: file.read_bytes() for file in built.iterdir()
    }
