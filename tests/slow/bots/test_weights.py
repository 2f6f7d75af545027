"""The weights of the magnate's networks follow from seeds alone, however a machine adds and hashes."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
MACHINES = (
    {"PYTHONHASHSEED": "1", "OPENBLAS_NUM_THREADS": "1", "OPENBLAS_CORETYPE": "Prescott"},
    {"PYTHONHASHSEED": "2", "OPENBLAS_NUM_THREADS": "2", "OPENBLAS_CORETYPE": ""},
)
"""A processor without vector instructions of today, and this one with two threads: they add up in different orders."""


def test_the_same_seeds_make_the_same_bytes_on_other_processors(tmp_path: Path) -> None:
    made = []
    for number, machine in enumerate(MACHINES):
        folder = tmp_path / str(number)
        for command in (
            ["play", f"{folder}/games", "--games", "40", "--first", "7000000"],
            ["fit", f"{folder}/games", "--into", f"{folder}/weights.json", "--networks", "2"],
        ):
            environment = {**os.environ, **machine}
            subprocess.run(
                [sys.executable, "-m", "benchmarks.magnate", *command],
                env={name: value for name, value in environment.items() if value},
                cwd=ROOT,
                check=True,
                timeout=1200,
            )
        made.append((folder / "weights.json").read_bytes())
    assert made[0] == made[1]
    assert len(made[0]) > 10_000
