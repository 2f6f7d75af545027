"""Tests in tests/pure cannot reach beyond their process."""

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]


def test_a_pure_test_that_reaches_beyond_its_process_fails(pytester: pytest.Pytester) -> None:
    pytester.makeconftest((Path(__file__).parent / "pure" / "conftest.py").read_text("utf-8"))
    pytester.makepyfile(
        """
        import asyncio, socket, subprocess

        def test_connects():
            socket.create_connection(("127.0.0.1", 9), timeout=1)

        def test_listens():
            socket.socket().bind(("127.0.0.1", 0))

        def test_starts_a_program():
            subprocess.run(["true"], check=True)

        def test_starts_a_program_from_a_loop():
            asyncio.run(asyncio.create_subprocess_exec("true"))

        def test_runs_a_loop():
            asyncio.run(asyncio.sleep(0))
        """
    )
    ran = pytester.runpytest_subprocess("-p", "no:xdist")
    ran.assert_outcomes(passed=1, failed=4)
    ran.stdout.fnmatch_lines(["*move it out of tests/pure*"])
