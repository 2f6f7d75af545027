"""A person at a terminal."""

import json
import os
import subprocess
from pathlib import Path

from tests.cli.command import done


class Person:
    """A person with a settings folder of their own, at a server."""

    def __init__(self, server: str, home: Path, name: str) -> None:
        self.server, self.home, self.name = server, home / name, name
        self.home.mkdir()

    @property
    def accounts(self) -> Path:
        """The file that holds the tokens."""
        return self.home / "mcmulti" / "accounts.json"

    def run(self, *arguments: str, typed: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
        """The result of a command, with `typed` on standard input."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith("MCMULTI_")}
        own = {"XDG_CONFIG_HOME": str(self.home), "MCMULTI_SERVER": self.server, "COLUMNS": "120"}
        return done(*arguments, typed=typed, environment={**clean, **own, **variables})

    def does(self, *arguments: str, typed: str = "", **variables: str) -> str:
        """The output of a command that must succeed."""
        ended = self.run(*arguments, typed=typed, **variables)
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout

    def fails(self, *arguments: str, typed: str = "", **variables: str) -> str:
        """The error of a command that must fail with one sentence and the exit code of an expected failure."""
        ended = self.run(*arguments, typed=typed, **variables)
        assert ended.returncode == 1, ended.stdout + ended.stderr
        assert ended.stderr.startswith("Error: ")
        assert "Traceback" not in ended.stderr
        return ended.stderr

    def at(self, server: str) -> "Person":
        """The same person at another address, with the same token: a client that passes on what it receives."""
        other = Person.__new__(Person)
        other.server, other.home, other.name = server, self.home, self.name
        kept = json.loads(self.accounts.read_text())
        kept["accounts"][server] = kept["accounts"][self.server]
        self.accounts.write_text(json.dumps(kept))
        return other
