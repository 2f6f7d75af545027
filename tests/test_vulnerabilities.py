"""Known vulnerabilities are failures, and what could not be checked is reported."""

import subprocess
from pathlib import Path
from unittest.mock import patch

from tests.vulnerabilities import report, verdict

SOUND = {"name": "click", "version": "8.1.7", "vulns": []}
SKIPPED = {"name": "httpx", "skip_reason": "Dependency not found"}
WEAK = {"name": "old", "version": "1.0", "vulns": [{"id": "PYSEC-2020-1", "fix_versions": ["1.1"]}]}


def test_a_known_vulnerability_fails() -> None:
    assert verdict({"dependencies": [SOUND, WEAK]}) == (
        1,
        ["old 1.0: PYSEC-2020-1, mended in 1.1", "Known vulnerabilities: 1 in 2 packages."],
    )


def test_what_was_not_checked_is_told() -> None:
    assert verdict({"dependencies": [SOUND, SKIPPED]}) == (
        0,
        ["Known vulnerabilities: 0 in 1 packages; 1 not checked, of which the source says nothing."],
    )


def test_a_source_that_knows_nothing_is_told() -> None:
    said = "Known vulnerabilities: not checked, pip-audit's source knows none of 2 packages."
    assert verdict({"dependencies": [SKIPPED, SKIPPED]}) == (0, [said])


def test_a_source_that_is_away_fails_nothing_and_is_told() -> None:
    with patch("subprocess.run", side_effect=subprocess.TimeoutExpired("pip-audit", 1)):
        found = report(Path("requirements.lock"))
    assert verdict(found) == (0, ["Known vulnerabilities: not checked, pip-audit does not reach its source."])
