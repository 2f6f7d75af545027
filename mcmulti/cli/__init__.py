"""The command ``mcmulti``.

Commands import what they need when they run, so that help is fast and signals are handled early.
"""

import codecs
import gc
import sys
import unicodedata
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from io import TextIOWrapper
from pkgutil import walk_packages

import click

from mcmulti.cli import commands


def _replaced(error: UnicodeError) -> tuple[str, int]:
    """Replace a character that standard output cannot encode: by a similar one in ASCII, or a question mark."""
    assert isinstance(error, UnicodeEncodeError)
    plain = (_PLAIN.get(letter) or _without_accents(letter) or "?" for letter in error.object[error.start : error.end])
    return "".join(plain), error.end


def _without_accents(letter: str) -> str:
    return unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()


_PLAIN = {
    "✓": "+",
    "✗": "x",
    "·": "-",
    "\N{EN DASH}": "-",
    "\N{MINUS SIGN}": "-",
    "\N{MULTIPLICATION SIGN}": "x",
    "ß": "ss",
    "→": "->",
    "\N{DOUBLE LOW-9 QUOTATION MARK}": '"',
    "\N{LEFT DOUBLE QUOTATION MARK}": '"',
    "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
}

_WHOLE = find_spec("mcmulti.web") is not None
"""Whether this is `mcmulti`. Otherwise it is `mcmulti-client`, which has only the commands that need no server."""
_WITHOUT_A_SERVER = ("bot", "open", "rules", "register", "login", "logout")


def main() -> None:
    """Run the command line. Exit code 1 for an expected failure, 2 for bad usage, 128 + n for signal n."""
    gc.set_threshold(20_000, 20, 10)  # imports leave no garbage, and looking for it takes a tenth of the start
    codecs.register_error("replaced", _replaced)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replaced")
    try:
        code = cli.main(prog_name="mcmulti", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("Interrupted.", err=True)
        code = 130
    except OSError as error:  # such as a full disk behind standard output
        click.echo(f"Error: {error.strerror or error}.", err=True)
        code = 1
    sys.exit(code)


@click.group(
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
        "auto_envvar_prefix": "MCMULTI",
    }
)
@click.version_option(package_name="mcmulti" if _WHOLE else "mcmulti-client", allow_from_autoenv=False)
def cli() -> None:
    """The board game McMulti (Crude) as a server, with bots to play it.

    Start with "mcmulti demo". To play on a server: register, games, play.

    Options can also be set by the environment variables that their help names. MCMULTI_TOKEN is a token for the default
    server. It replaces the token that "mcmulti register" keeps.
    """


def _commands() -> Iterator[click.Command]:
    """All commands: those of every module in a room of `commands`."""
    for module in walk_packages(commands.__path__, f"{commands.__name__}."):
        for found in vars(import_module(module.name)).values():
            if isinstance(found, click.Command):
                yield found


if not _WHOLE:
    cli.help = """Bots for the board game McMulti (Crude).

    Start with "mcmulti bot --server URL". All other commands, such as those that start a server, come with the package
    mcmulti, which you install instead of mcmulti-client.
    """
for _command in _commands():
    if _WHOLE or _command.name in _WITHOUT_A_SERVER:
        cli.add_command(_command)
for _command in cli.commands.values():
    for _option in _command.params:
        if isinstance(_option, click.Option):
            _option.show_envvar = True
            _option.show_default = _option.show_default is None and not callable(_option.default)
