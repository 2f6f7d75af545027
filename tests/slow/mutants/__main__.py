"""Mutate the rules, the log and the projections at random for a while, and tell which mutants no quick test notices.

Works on copies of the checkout, one a job: nothing in it is changed. Exit code 1 if the tests fail as they are.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue

from mcmulti.domain.rulesets import SHIPPED
from tests.golden.games import OIL_GAMES
from tests.slow.mutants.mutants import Mutant, mutants

ROOT = Path(__file__).parents[3]
SHARED = ("tests/pure/core", "tests/pure/golden")
OIL = tuple(f"tests/pure/{name}" for name in OIL_GAMES)
TESTS = {
    "mcmulti/domain/core": (*OIL, *SHARED),
    "mcmulti/domain/oil": (*OIL, *SHARED),
    **{f"mcmulti/domain/{name}": (f"tests/pure/{name}", *SHARED, "tests/pure/projections") for name in SHIPPED},
    "mcmulti/events": (
        "tests/pure/events",
        "tests/pure/golden",
        "tests/pure/referee",
        "tests/pure/api/test_response_cache.py",
    ),
    "mcmulti/projections": ("tests/pure/projections", "tests/pure/golden", "tests/pure/postal"),
}
"""The folders with the tests of a module, the nearest first. None of these needs a database or another program."""
MARGIN = 5
"""How many times longer than usual the tests may take. This also catches endless loops."""


def main() -> None:
    """Try mutants until the time is up."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--seconds", type=float, default=600, help="how long to try mutants  [default: 600]")
    asked.add_argument("--only", default="", help="modules whose path begins so, e.g. mcmulti/domain/oil/")
    asked.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time  [default: processors]"
    )
    asked.add_argument("--seed", type=int, default=0, help="fixes which mutants come first  [default: 0]")
    options = asked.parse_args()
    found = [
        mutant
        for folder in TESTS
        for file in sorted((ROOT / folder).rglob("*.py"))
        if str(module := file.relative_to(ROOT)).startswith(options.only)
        for mutant in mutants(ROOT, module)
    ]
    random.Random(options.seed).shuffle(found)
    with tempfile.TemporaryDirectory(prefix="mutants-") as place:
        copies: Queue[Path] = Queue()
        for number in range(options.jobs):
            copies.put(copy := Path(place, str(number)))
            _copy(copy)
        limits = {folder: _as_they_are(copy, folder) for folder in {_folder(mutant.module) for mutant in found}}
        until = time.monotonic() + options.seconds
        with ThreadPoolExecutor(options.jobs) as pool:
            noticed = pool.map(lambda mutant: _noticed(mutant, copies, limits, until), found)
            tried = list(_told(zip(found, noticed, strict=True)))
    killed = Counter(tried)
    share = f"{killed[True] / len(tried):.1%}" if tried else "none"
    print(f"{len(tried):,} of {len(found):,} mutants tried: {killed[True]:,} noticed ({share}), {killed[False]:,} not.")


def _told(results: Iterator[tuple[Mutant, bool | None]]) -> Iterator[bool]:
    """The results of the mutants. Prints each that was not noticed."""
    for mutant, noticed in results:
        if noticed is not None:
            yield noticed
        if noticed is False:
            where = f"{mutant.module}:{mutant.line}: {mutant.operator} {mutant.occurrence}"
            print(f"{where}\n{mutant.diff(ROOT)}\n", flush=True)


def _copy(copy: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy / name)


def _folder(module: Path) -> str:
    return next(folder for folder in TESTS if module.is_relative_to(folder))


def _as_they_are(copy: Path, folder: str) -> float:
    """The maximum seconds of the tests of a folder."""
    start = 0.0
    for _ in range(2):  # the first time they are compiled
        start = time.monotonic()
        if not _pass(copy, TESTS[folder], None):
            print(f"The tests of {folder} fail as they are.", file=sys.stderr)
            sys.exit(1)
    return MARGIN * (time.monotonic() - start)


def _noticed(mutant: Mutant, copies: "Queue[Path]", limits: dict[str, float], until: float) -> bool | None:
    """Whether a test fails. None if there is no time left to try."""
    if time.monotonic() >= until:
        return None
    folder, copy = _folder(mutant.module), copies.get()
    file = copy / mutant.module
    try:
        _write(file, mutant.code(ROOT))
        own = sorted(path for tests in TESTS[folder] for path in (copy / tests).glob(f"test_{file.stem}*.py"))
        return not _pass(copy, (*(str(path.relative_to(copy)) for path in own), *TESTS[folder]), limits[folder])
    finally:
        _write(file, (ROOT / mutant.module).read_text("utf-8"))
        copies.put(copy)


def _write(file: Path, code: str) -> None:
    """Write a module, and remove its compiled files, which may look as old as the new one."""
    file.write_text(code, "utf-8")
    for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*"):
        compiled.unlink()


def _pass(copy: Path, tests: tuple[str, ...], seconds: float | None) -> bool:
    command = [sys.executable, "-m", "pytest", "-n0", "-x", "-q", *tests]
    environment = {**os.environ, "PYTHONPATH": str(copy), "TESTS": "quick"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    try:
        ran = subprocess.run(command, cwd=copy, env=environment, capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return False
    return ran.returncode == 0


if __name__ == "__main__":
    main()
