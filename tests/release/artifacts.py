"""The files of a release: ``make artifacts`` writes them into ``dist/release``.

They are built from the last commit alone: the packages, a bill of materials for each, a statement of what they were
built from, and the digests of all of them. The same commit gives the same bytes, so anybody can check them.
"""

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tests.release.npm_sbom import npm_sbom
from tests.release.sbom import Package, pins, sbom

ROOT = Path(__file__).parents[2]
PROJECTS = {".": ("sdist", "wheel"), "deploy/client": ("wheel",)}
"""The folders of what is published, and the kinds of files of each."""
NPM_PACKAGE = "openapi/typescript"
LOCKS = ("requirements.lock", "deploy/requirements.lock", f"{NPM_PACKAGE}/package-lock.json")
DIGESTS = "SHA256SUMS"


def write(folder: Path, commit: str = "HEAD", *, npm: bool = True) -> list[Path]:
    """Write all files of a release into an empty folder, or all but the npm package. Returns them."""
    with tempfile.TemporaryDirectory() as place:
        source = Path(place)
        extract(commit, source)
        for project, targets in PROJECTS.items():
            for target in targets:
                build(source / project, target, folder)
        if npm:
            pack(source / NPM_PACKAGE, folder)
        release = _project(source / "pyproject.toml")["version"]
        locked = pins((source / "deploy" / "requirements.lock").read_text("utf-8"))
        for project in PROJECTS:
            found = _project(source / project / "pyproject.toml")
            package = Package(found["name"], release, found["license"], found["dependencies"])
            (folder / f"{package.name}-{release}.cdx.json").write_text(sbom(package, locked), "utf-8")
        lock = (source / NPM_PACKAGE / "package-lock.json").read_text("utf-8")
        (folder / f"mcmulti-client-npm-{release}.cdx.json").write_text(npm_sbom(lock), "utf-8")
        locks = {name: _digest(source / name) for name in LOCKS}
    subjects = {file.name: _digest(file) for file in sorted(folder.iterdir())}
    told = provenance(subjects, _git("rev-parse", commit).decode().strip(), locks)
    (folder / f"mcmulti-{release}.intoto.json").write_text(told, "utf-8")
    digests = "".join(f"{_digest(file)}  {file.name}\n" for file in sorted(folder.iterdir()))
    (folder / DIGESTS).write_text(digests, "utf-8")
    return sorted(folder.iterdir())


def extract(commit: str, folder: Path) -> None:
    """Write the files of a commit into an empty folder."""
    subprocess.run(("tar", "-x"), cwd=folder, input=_git("archive", "--format=tar", commit), check=True)


def build(project: Path, target: str, folder: Path) -> None:
    """Build a package from the sources in `project`, and write it into a folder. `target`: its kind of file."""
    command = (sys.executable, "-m", "hatchling", "build", "--directory", folder, "--target", target)
    subprocess.run(command, cwd=project, check=True, stdout=subprocess.DEVNULL)


def pack(source: Path, folder: Path) -> None:
    """Build the npm package in a copy of its sources, and write it into a folder."""
    for arguments in (("ci", "--ignore-scripts", "--no-audit", "--no-fund"), ("pack", "--pack-destination", folder)):
        subprocess.run(("npm", "--silent", *arguments), cwd=source, check=True, stdout=subprocess.DEVNULL)


def provenance(subjects: dict[str, str], commit: str, locks: dict[str, str]) -> str:
    """An in-toto statement with a predicate of SLSA: which files (by SHA-256) were built from which commit, with what.

    It names no time and no machine: a statement about the same files has the same bytes.
    """
    statement = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": name, "digest": {"sha256": digest}} for name, digest in subjects.items()],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": "urn:mcmulti:build:make-artifacts",
                "externalParameters": {"commit": commit},
                "internalParameters": {
                    "python": ".".join(map(str, sys.version_info[:3])),
                    "hatchling": version("hatchling"),
                },
                "resolvedDependencies": [
                    {"name": "mcmulti", "digest": {"gitCommit": commit}},
                    *({"name": name, "digest": {"sha256": digest}} for name, digest in locks.items()),
                ],
            },
            "runDetails": {"builder": {"id": "urn:mcmulti:builder:maintainer"}},
        },
    }
    return json.dumps(statement, indent=2) + "\n"


def _project(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads(file.read_text("utf-8"))["project"]
    return found


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _git(*arguments: str) -> bytes:
    return subprocess.run(("git", *arguments), cwd=ROOT, check=True, capture_output=True).stdout


def main() -> None:
    """Print the files with their sizes."""
    folder = ROOT / "dist" / "release"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for file in write(folder):
        print(f"{file.stat().st_size:>10,}  {file.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
