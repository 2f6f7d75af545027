"""Marks follow from what a test reaches, through helpers and fixtures; what cannot be seen is refused."""

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]
ROOT = Path(__file__).parents[1]
HELPERS = """
from contextlib import contextmanager
from mcmulti.events.embedded import EmbeddedPostgres

@contextmanager
def database(folder):
    with EmbeddedPostgres(folder) as postgres:
        yield postgres

class Server:
    def __init__(self):
        self.listener = make()

def make():
    return uvicorn.Server

import uvicorn
"""
TESTS = """
import subprocess
import pytest
from tests.helpers import Server, database

@pytest.fixture
def url(tmp_path):
    with database(tmp_path) as postgres:
        yield postgres

def test_by_a_fixture(url): pass

def test_by_a_helper(tmp_path):
    assert [database(tmp_path) for _ in range(0)] == []

def test_by_a_class():
    if False: Server()

def test_by_a_program():
    if False: subprocess.run([])

@pytest.mark.needs("chromium")
def test_by_a_browser(): pass

def test_by_nothing(): pass
"""
UNSEEN = """
def test_that_hides_it(tmp_path):
    from mcmulti.events.embedded import EmbeddedPostgres
    EmbeddedPostgres(tmp_path / "data").start()
"""


@pytest.fixture
def marked(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A folder of tests with helpers of its own."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    (pytester.mkdir("more") / "helpers.py").write_text(HELPERS)
    pytester.makeconftest(
        """
        import sys, importlib.util, tests
        spec = importlib.util.spec_from_file_location("tests.helpers", "more/helpers.py")
        sys.modules["tests.helpers"] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        """
    )
    return pytester


@pytest.mark.parametrize(
    ("mark", "tests"),
    [
        ("postgres", {"test_by_a_fixture", "test_by_a_helper"}),
        ("server", {"test_by_a_class"}),
        ("browser", {"test_by_a_browser"}),
        ("slow", {"test_by_a_program", "test_by_a_browser"}),
        ("not (postgres or server or browser or slow)", {"test_by_nothing"}),
    ],
)
def test_a_test_is_marked_by_what_it_reaches(mark: str, tests: set[str], marked: pytest.Pytester) -> None:
    path = marked.path / "tests_of_all_kinds" / "test_kinds.py"
    path.parent.mkdir()
    path.write_text(TESTS)
    plugins = ("-p", "tests.needs", "-p", "tests.marks")
    ran = marked.runpytest_subprocess(*plugins, "--collect-only", "-q", "-m", mark, path)
    chosen = {line.partition("::")[2] for line in ran.outlines if "::" in line}
    assert chosen == tests


def test_a_postgres_that_is_started_unseen_fails_the_test(marked: pytest.Pytester) -> None:
    path = marked.makepyfile(UNSEEN)
    ran = marked.runpytest_subprocess("-p", "tests.needs", "-p", "tests.marks", path)
    ran.assert_outcomes(failed=1)
    ran.stdout.fnmatch_lines(["*test_that_hides_it starts a PostgreSQL in a way that tests/marks.py does not see*"])
