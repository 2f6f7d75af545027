"""Running what a command does."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

SEED = click.IntRange(0, 2**31 - 1)
PORT = click.IntRange(0, 65535)


def run(work: Any) -> Any:
    """Run it; what may be expected to go wrong ends in one sentence."""
    from mcmulti.bots.client import Problem, ServerAway
    from mcmulti.server import Interrupted, ServerError
    from mcmulti.server import run as running
    from mcmulti.sources import SourceError

    try:
        return running(work)
    except (Problem, ServerAway, ServerError, SourceError) as error:
        raise click.ClickException(str(error)) from error
    except Interrupted as interrupted:
        click.echo("Interrupted; everything is stopped.", err=True)
        raise click.exceptions.Exit(128 + interrupted.number) from None


@contextmanager
def printing() -> Iterator[None]:
    """For what may print more than somebody reads: if the reader has enough, `head` say, it ends as by SIGPIPE."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or flushing at the end would fail again
        raise click.exceptions.Exit(128 + signal.SIGPIPE) from None
