"""The guide to reviews: its commands print what it shows, and its program runs."""

import re
import shlex
from contextlib import chdir

from click.testing import CliRunner

from mcmulti.cli import cli
from tests.docs.manual import ROOT, page
from tests.docs.transcript import as_printed, commands

GUIDE = page("how-to/review-a-game")


def test_the_commands_print_what_the_guide_shows() -> None:
    typed = commands(GUIDE)
    assert len(typed) == 2
    with chdir(ROOT):
        for command in typed:
            program, *arguments = shlex.split(command.typed)
            done = CliRunner().invoke(cli, arguments, env={"COLUMNS": None})
            assert (program, done.exit_code) == ("mcmulti", 0), done.output
            assert as_printed(command.prints, done.output), done.output


def test_the_program_runs() -> None:
    (program,) = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    with chdir(ROOT):
        exec(compile(program, "guide", "exec"), {})
