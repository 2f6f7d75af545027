"""If a program is missing, the run says what was not checked, or fails."""

from pathlib import Path

import pytest

from tests.needs import PROGRAMS

pytest_plugins = ["pytester"]
ROOT = Path(__file__).parents[1]
TESTS = """
import pytest

@pytest.mark.needs("hledger")
@pytest.mark.parametrize("number", [1, 2])
def test_with_one_program(number):
    raise AssertionError("nothing is to be run")

@pytest.mark.needs("hledger", "npm")
def test_with_two_programs():
    raise AssertionError("nothing is to be run")

def test_that_gives_up():
    pytest.skip("the machine is small")

@pytest.mark.xfail(reason="known")
def test_that_may_fail():
    raise AssertionError

def test_without_any():
    pass
"""


@pytest.fixture(autouse=True)
def without_other_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


@pytest.fixture
def bare(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A machine with an empty path, and tests that need something."""
    monkeypatch.setenv("PATH", str(pytester.mkdir("bin")))
    pytester.makepyfile(TESTS)
    return pytester


def test_a_program_that_takes_rights_is_tried(bare: pytest.Pytester) -> None:
    bare.makepyfile("import pytest\n\n@pytest.mark.needs('mount')\ndef test_mounting():\n    pass\n")
    for name, status in (("mount", 0), ("unshare", 1)):
        program = bare.path / "bin" / name
        program.write_text(f"#!/bin/sh\nexit {status}\n")
        program.chmod(0o755)
    ran = bare.runpytest_subprocess("-p", "tests.needs")
    ran.assert_outcomes(skipped=1)
    assert "mount is not allowed here (it takes the rights of root): 1 test" in ran.outlines


def test_a_program_that_does_the_same_with_less_is_taken_where_it_is_there(bare: pytest.Pytester) -> None:
    bare.makepyfile(
        "import pytest\nfrom tests.needs import found\n\n@pytest.mark.needs('chromium')\n"
        "def test_browsing():\n    print('in', found('chromium').rpartition('/')[2])\n"
    )
    for name in ("chromium", "chromium-headless-shell"):
        program = bare.path / "bin" / name
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        ran = bare.runpytest_subprocess("-p", "tests.needs", "-s")
        ran.assert_outcomes(passed=1)
        assert f"in {name}" in ran.stdout.str()


def test_what_was_not_checked_is_said_at_the_end_with_how_many_tests_it_concerns(bare: pytest.Pytester) -> None:
    ran = bare.runpytest_subprocess("-p", "tests.needs", "--strict-markers")
    assert ran.ret == pytest.ExitCode.OK
    ran.assert_outcomes(passed=1, skipped=4, xfailed=1)
    heading, *reasons = [line for line in ran.outlines if line][-5:-1]
    assert heading.strip("= ") == "not checked"
    assert reasons == [
        "hledger is missing (apt-get install hledger): 3 tests",
        "npm is missing (apt-get install npm): 1 test",
        "the machine is small: 1 test",
    ]


def test_nothing_may_be_left_out_where_all_is_to_be_checked(bare: pytest.Pytester) -> None:
    ran = bare.runpytest_subprocess("-p", "tests.needs", "--all-checked")
    assert ran.ret == pytest.ExitCode.TESTS_FAILED
    ran.assert_outcomes(passed=1, errors=3, failed=1, xfailed=1)
    ran.stdout.fnmatch_lines(["Not checked: hledger is missing (*)", "Not checked: the machine is small"])


ELSEWHERE = """
import os
import pytest
from tests.needs import found

@pytest.mark.needs("CITUS_URL")
def test_elsewhere():
    assert found("CITUS_URL") == os.environ["CITUS_URL"]

@pytest.mark.needs("CITUS_URL", "hledger")
def test_elsewhere_and_with_a_program():
    raise AssertionError("nothing is to be run")
"""


def test_a_python_package_that_is_missing_is_said_with_the_lock_file_that_brings_it(pytester: pytest.Pytester) -> None:
    pytester.makeconftest("from tests import needs\nneeds.PACKAGES['xyzzy_package'] = 'some.lock'\n")
    pytester.makepyfile("import pytest\n\n@pytest.mark.needs('xyzzy_package')\ndef test_it():\n    pass\n")
    ran = pytester.runpytest_subprocess("-p", "tests.needs")
    ran.assert_outcomes(skipped=1)
    assert "xyzzy_package is missing (pip install --requirement some.lock): 1 test" in ran.outlines
    ran = pytester.runpytest_subprocess("-p", "tests.needs", "--all-checked")
    ran.assert_outcomes(errors=1)


def test_what_no_package_brings_may_be_left_out_everywhere_and_is_said(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that is also missing is still a failure."""
    monkeypatch.setenv("PATH", str(pytester.mkdir("bin")))
    monkeypatch.delenv("CITUS_URL", raising=False)
    pytester.makepyfile(ELSEWHERE)
    alone = pytester.runpytest_subprocess("-p", "tests.needs", "--all-checked", "-k", "not program")
    assert alone.ret == pytest.ExitCode.OK
    alone.assert_outcomes(skipped=1, deselected=1)
    said = "CITUS_URL does not name the coordinator of a Citus cluster, which no package brings: 1 test"
    alone.stdout.fnmatch_lines(["*not checked*", said])
    both = pytester.runpytest_subprocess("-p", "tests.needs", "--all-checked")
    both.assert_outcomes(skipped=1, errors=1)
    monkeypatch.setenv("CITUS_URL", "postgresql://elsewhere/games")
    named = pytester.runpytest_subprocess("-p", "tests.needs", "--all-checked", "-k", "not program")
    named.assert_outcomes(passed=1, deselected=1)


def test_a_program_that_nobody_told_how_to_get_is_a_mistake(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("import pytest\n@pytest.mark.needs('xyzzy')\ndef test_it(): pass")
    ran = pytester.runpytest_subprocess("-p", "tests.needs")
    assert ran.ret == pytest.ExitCode.USAGE_ERROR
    ran.stderr.fnmatch_lines(["*test_it needs xyzzy, which tests/needs.py does not know"])


def test_a_program_that_is_too_old_is_as_good_as_missing(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = pytester.mkdir("bin") / "node"
    monkeypatch.setenv("PATH", str(node.parent))
    pytester.makepyfile("import pytest\n@pytest.mark.needs('node')\ndef test_it(): pass")
    for version, outcome in ((PROGRAMS["node"].oldest, "passed"), (12, "skipped")):
        node.write_text(f"#!/bin/sh\necho v{version}.3.1\n")
        node.chmod(0o755)
        ran = pytester.runpytest_subprocess("-p", "tests.needs")
        ran.assert_outcomes(**{outcome: 1})
