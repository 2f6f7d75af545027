"""Known vulnerabilities of what is installed with mcmulti: ``python -m tests.vulnerabilities``.

pip-audit looks up every package of a lock file in a database of advisories. If it cannot reach that, nothing fails: the
last line says what was not checked.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

LOCK = Path("requirements.lock")
SECONDS = 300
"""Maximum seconds in total."""


def report(lock: Path) -> Any:
    """The findings of pip-audit about a lock file. None if it did not finish."""
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder) / "found.json"
        arguments = ("--disable-pip", "--require-hashes", "--progress-spinner", "off", "--timeout", "10")
        command: list[str | Path] = [
            sys.executable,
            "-m",
            "pip_audit",
            *arguments,
            "-r",
            lock,
            "-f",
            "json",
            "-o",
            found,
        ]
        try:
            subprocess.run(command, check=False, capture_output=True, timeout=SECONDS)
            return json.loads(found.read_text())
        except (OSError, ValueError, subprocess.TimeoutExpired):
            return None


def verdict(found: Any) -> tuple[int, list[str]]:
    """The exit code, and lines for people: 1 if a package has a known vulnerability."""
    if found is None:
        return 0, ["Known vulnerabilities: not checked, pip-audit does not reach its source."]
    packages = found["dependencies"]
    unchecked = sum("skip_reason" in package for package in packages)
    if unchecked == len(packages):
        return 0, [f"Known vulnerabilities: not checked, pip-audit's source knows none of {unchecked} packages."]
    lines = [
        f"{package['name']} {package['version']}: {known['id']}, mended in {', '.join(known['fix_versions']) or 'none'}"
        for package in packages
        for known in package.get("vulns", ())
    ]
    said = f"Known vulnerabilities: {len(lines)} in {len(packages) - unchecked} packages"
    left = f"; {unchecked} not checked, of which the source says nothing" if unchecked else ""
    return int(bool(lines)), [*lines, f"{said}{left}."]


if __name__ == "__main__":
    code, said = verdict(report(LOCK))
    print(*said, sep="\n")
    sys.exit(code)
