"""Replay a game: ``replay``."""

from typing import TYPE_CHECKING, Any
from uuid import UUID

import click

from mcmulti.cli.options import GAME, SOURCE, language_option, on_a_terminal
from mcmulti.cli.running import log_of, printing, say, say_json

if TYPE_CHECKING:
    from mcmulti.cli.replay.story import Story

SEQ = click.IntRange(min=1)


@click.command()
@SOURCE
@GAME
@click.option("--from", "first", type=SEQ, default=1, metavar="SEQ", help="Start at this event.")
@click.option("--to", "last", type=SEQ, metavar="SEQ", help="Stop after this event.")
@click.option(
    "--by",
    type=click.Choice(["event", "turn"]),
    default="event",
    help="One line per event, or one paragraph per turn; on a terminal, the unit of playback.",
)
@language_option("Language of the output.")
@click.option(
    "--at", type=SEQ, metavar="SEQ", help="Show the board and each player's holdings after this event, and start there."
)
@click.option("--plain", is_flag=True, help="Print the story, even on a terminal.")
@click.option("--json", "as_json", is_flag=True, help="Print the frames of the replay, one JSON document per line.")
def replay(
    source: str,
    game: UUID | None,
    first: int,
    last: int | None,
    by: Any,
    language: Any,
    at: int | None,
    plain: bool,
    as_json: bool,
) -> None:
    """Replay a game event by event: what happened, by which rule, and what it changed.

    SOURCE is a folder of "mcmulti demo" or "mcmulti serve", a game file, the address of a server or of a game on it
    (http://.../v1/games/ID), or a database (postgresql://...).

    On a terminal, this opens an application in which you can step, play, jump, and search. Press ? for help. Without a
    terminal, or with --plain, the story is printed.
    """
    if plain and as_json:
        raise click.UsageError("Give either --plain or --json, not both.")
    if as_json and at is not None:
        raise click.UsageError("--at shows a board, and --json prints frames. Use --from and --to instead.")
    if last is not None and last < first:
        raise click.UsageError(f"--to {last} is before --from {first}.")

    story = _story(*log_of(source, game))
    last = min(last or story.last, story.last)
    _check_span(story, first, last, at)
    if as_json:
        with printing():
            for frame in story.frames(first, last, language, by):
                say_json(frame)
    elif plain or not on_a_terminal():
        from mcmulti.cli.replay.printed import moment, story_lines

        told = story_lines(story, first, last, language, by) if at is None else moment(story, at, language)
        with printing():
            for line in told:
                say(line)
    else:
        from mcmulti.cli.replay.application import ReplayApp

        application = ReplayApp(story, first, last, at or first, by, language)
        application.run()
        if application.return_code:
            raise click.exceptions.Exit(application.return_code)


def _story(events: Any, called: Any) -> "Story":
    """The story of the events. If they have faults but can be told anyway, the faults go to standard error."""
    from mcmulti.cli.replay.story import Story, Unplayable

    try:
        story = Story(events, called)
    except Unplayable as error:
        raise click.ClickException(str(error)) from error
    if story.doubt:
        click.echo(f"Warning: this log was changed after it was recorded. {story.doubt}", err=True)
    return story


def _check_span(story: "Story", first: int, last: int, at: int | None) -> None:
    """Refuse events or turns that the game, or the requested part of it, does not have."""
    for option, seq in (("--from", first), ("--at", at)):
        if seq is not None and seq > story.last:
            raise click.ClickException(f"{option} {seq} is beyond the end. The game has {story.last} events.")
    if at is not None and not first <= at <= last:
        raise click.UsageError(f"--at {at} is not between --from {first} and --to {last}.")
