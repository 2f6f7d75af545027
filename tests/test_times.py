"""`--times` lists where the time of a run went."""

import re

import pytest

pytest_plugins = ["pytester"]


def test_wall_and_cpu_time_are_listed_by_folder_fixture_and_test(pytester: pytest.Pytester) -> None:
    """A fixture that sleeps, a test that computes in a child process, and another folder that does nothing."""
    for folder in ("tests/busy", "tests/idle"):
        pytester.path.joinpath(folder).mkdir(parents=True)
    pytester.path.joinpath("tests/busy/conftest.py").write_text(
        "import time, pytest\n@pytest.fixture\ndef slow():\n    time.sleep(0.3)\n    yield\n    time.sleep(0.2)\n"
    )
    computes = "import time\nwhile time.process_time() < 0.5: pass\n"
    pytester.path.joinpath("tests/busy/test_busy.py").write_text(
        "import subprocess, sys\n"
        "def test_waits(slow): pass\n"
        f"def test_computes(): subprocess.run([sys.executable, '-c', {computes!r}])\n"
    )
    pytester.path.joinpath("tests/idle/test_idle.py").write_text("def test_nothing(): pass\n")
    ran = pytester.runpytest_subprocess("-p", "tests.times", "--times", "tests", "-p", "no:xdist")
    ran.assert_outcomes(passed=3)

    def row(beginning: str) -> tuple[float, float]:
        found = re.search(rf"^{re.escape(beginning)} .*?([\d.]+) +([\d.]+)$", ran.stdout.str(), re.MULTILINE)
        assert found is not None, beginning
        return float(found[1]), float(found[2])

    wall, _ = row("tests/busy: slow")
    assert wall >= 0.5
    wall, cpu = row("tests/busy")
    assert wall >= 1.0
    assert cpu >= 0.4
    _, cpu = row("tests/busy/test_busy.py::test_computes")
    assert cpu >= 0.4
    _, cpu = row("tests/idle")
    assert cpu < 0.4
    assert re.search(r"collection of 3 tests: [\d.]+ s wall, [\d.]+ s CPU", ran.stdout.str())
