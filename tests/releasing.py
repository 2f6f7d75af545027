"""Whether this checkout can be released: ``make release``.

First come the facts about the version, which take a second; ``--facts`` stops there. Then everything generated is
written again and must not change. Then all checks and tests run. The first step that fails ends it. In the end, the
packages are built.
"""

import json
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.release.artifacts import NPM_PACKAGE
from tests.release.sbom import pins

ROOT = Path(__file__).parents[1]
AUDIENCES = {"For players", "For authors of bots and clients", "For operators", "For contributors"}
LOCKED = {
    "requirements.lock": (("mcp", "otel", "training"), ("dev",)),
    "deploy/requirements.lock": (("otel",), ()),
}
"""What a lock file must have in addition to the dependencies: extras and groups."""
GENERATED = (("make", "openapi"), ("make", "docs"), ("make", "golden"))
CHECKS = (
    ("make", "lint", "types", "lint-openapi", "audit"),
    ("make", "test", "ARGS=--all-checked"),
    ("make", "slow", "ARGS=--all-checked"),
    ("make", "artifacts"),
    ("make", "image"),
)


def changelog_faults(text: str, version: str) -> Iterator[str]:
    """What is wrong with a changelog: its newest section must be this version, dated and sorted by audience."""
    sections = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    unreleased = [section for section in sections if section.startswith("Unreleased\n")]
    if any(section.removeprefix("Unreleased").strip() for section in unreleased):
        yield "CHANGELOG.md still has unreleased changes. Move them to the section of the version."
    dated = [section for section in sections if section not in unreleased]
    if not dated or not re.match(rf"{re.escape(version)} - \d{{4}}-\d\d-\d\d\n", dated[0]):
        yield f'CHANGELOG.md has no section "## {version} - YYYY-MM-DD" at the top.'
    elif others := sorted(set(re.findall(r"^### (.+)$", dated[0], re.MULTILINE)) - AUDIENCES):
        yield f"CHANGELOG.md sorts by audience, so these headings are wrong: {', '.join(others)}."


def lock_faults(name: str, lock: str, project: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with a lock file: every dependency of the project must be pinned to a version that it allows."""
    pinned_versions = {pin.name: Version(pin.version) for pin in pins(lock)}
    extras, groups = LOCKED[name]
    wanted = [
        *project["project"]["dependencies"],
        *(each for extra in extras for each in project["project"]["optional-dependencies"][extra]),
        *(each for group in groups for each in project["dependency-groups"][group]),
    ]
    for requirement in map(Requirement, wanted):
        pinned = pinned_versions.get(canonicalize_name(requirement.name))
        if pinned is None or pinned not in requirement.specifier:
            yield f"{name} pins {requirement.name} to {pinned}, and pyproject.toml wants {requirement}: run make lock."


def version_faults(version: str, released: list[str], breaking: bool) -> Iterator[str]:
    """What is wrong with a version after these. `breaking`: whether the contract breaks clients of the newest."""
    new, before = Version(version), max(map(Version, released), default=None)
    if before is None:
        return
    if new <= before:
        yield f"Version {new} is not newer than {before}. Raise it in pyproject.toml."
    elif breaking and new.release[: 1 if before.major else 2] == before.release[: 1 if before.major else 2]:
        yield f"The contract breaks clients of {before}: raise the {'major' if before.major else 'minor'} version."


def _breaks(released: str) -> bool:
    """Whether the contract breaks clients of this release."""
    contract = subprocess.run(
        ("git", "show", f"v{released}:openapi/openapi.json"), cwd=ROOT, check=True, capture_output=True
    ).stdout
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "openapi.json").write_bytes(contract)
        command = (sys.executable, "-m", "mcmulti", "openapi", folder)
        return subprocess.run(command, cwd=ROOT, check=False, capture_output=True).returncode != 0


def _git(*arguments: str) -> list[str]:
    return subprocess.run(("git", *arguments), cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()


def _facts() -> Iterator[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    version = project["project"]["version"]
    released = [tag[1:] for tag in _git("tag", "--list", "v*")]
    newest = max(released, key=Version, default=None)
    yield from version_faults(version, released, breaking=newest is not None and _breaks(newest))
    yield from changelog_faults((ROOT / "CHANGELOG.md").read_text("utf-8"), version)
    npm = json.loads((ROOT / NPM_PACKAGE / "package.json").read_text("utf-8"))["version"]
    if npm != version:
        yield f"{NPM_PACKAGE}/package.json has version {npm}: set it in package-lock.json, too (npm version {version})."
    if f"\n## {version}\n" not in (ROOT / "docs" / "reference" / "api-changes.md").read_text("utf-8"):
        yield f'docs/reference/api-changes.md has no section "## {version}".'
    for name in LOCKED:
        yield from lock_faults(name, (ROOT / name).read_text("utf-8"), project)
    if not (ROOT / "tests" / "golden" / "releases" / version).is_dir():
        yield f"tests/golden/releases/{version} is missing: run make golden."
    yield from _changed()


def _changed() -> Iterator[str]:
    for line in _git("status", "--porcelain"):
        yield f"Not committed: {line[3:]}"


def main() -> int:
    """The exit code: 0 if it can be released."""
    faults = list(_facts())
    if not faults and "--facts" not in sys.argv:
        for step in (*GENERATED, *CHECKS):
            if subprocess.run(step, cwd=ROOT, check=False).returncode:
                faults.append(f"{' '.join(step)} failed.")
            elif step in GENERATED:
                faults.extend(f"After {' '.join(step)}: {fault}" for fault in _changed())
            if faults:
                break
    for fault in faults:
        print(fault)
    print("This must not be released yet." if faults else "Ready: tag it, and publish what is in dist/release.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
