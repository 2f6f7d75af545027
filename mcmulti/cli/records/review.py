"""Reviews of finished games: made now, or before by a server or ``mcmulti review --json``; and winning chances."""

from collections.abc import Sequence
from pathlib import Path

import click
import msgspec
from msgspec import Struct
from rich.console import Console
from rich.table import Table

from mcmulti.cli.options import SECONDS
from mcmulti.cli.running import run
from mcmulti.client.client import Client
from mcmulti.client.sources import parsed, server_in
from mcmulti.domain.core.wording.telling import LANGUAGES, Language
from mcmulti.evaluation.reviews.moments import moments_of
from mcmulti.evaluation.reviews.review import Reviewing
from mcmulti.evaluation.reviews.wording import told_in
from mcmulti.events.store.game_file import GameRecord
from mcmulti.library.record import Record
from mcmulti.projections.reviews import Estimate, Review, ReviewedMove

STORED = "stored"
"""Says that the review is the one that the server of the game has."""
COSTLY = 10
"""How many decisions are listed if not all moves are."""
LEAST = 0.005
"""Decisions that cost less are not listed."""


class ReviewServed(Struct):
    """The review that a server responds with."""

    review: Review | None


def finished(content: GameRecord) -> Record:
    """A game that is over, and proven. Raises `click.ClickException`."""
    record = Record(content)
    fault = record.verify().fault
    if fault is not None:
        raise click.ClickException(f"The game cannot be trusted: {fault}.")
    if record.events[-1].payload is not None or not record.state().is_terminal():
        raise click.ClickException("The game is not over. To evaluate it would help its players: wait for the end.")
    return record


def reviews_of(content: GameRecord, seconds: float) -> dict[Language, Review]:
    """The review of a game in every language, after this much processor time. Raises `click.ClickException`."""
    record = finished(content)
    try:
        reviewing = Reviewing(record)
    except ValueError as error:
        raise click.ClickException(f"Cannot review the game: {error}.") from error
    for _ in reviewing.until(seconds):
        pass
    return {language: reviewing.result(language) for language in LANGUAGES}


def reviews_for(content: GameRecord, source: str, wanted: str) -> dict[Language, Review]:
    """The review of a game as `wanted`: made now with this much processor time, read from a file, or `STORED` on the
    server that is the source. What a file says does not matter: the sentences are made from its numbers and the game.

    Raises `click.ClickException`, and like the client.
    """
    if wanted == STORED:
        served: dict[Language, Review] = run(_from_server(content, source))
        return served
    seconds = seconds_in(wanted)
    return _from_file(content, Path(wanted)) if seconds is None else reviews_of(content, seconds)


def seconds_in(text: str) -> float | None:
    """A number of seconds of processor time; None for other text. Raises `click.BadParameter` if it is out of range."""
    try:
        return float(SECONDS.convert(float(text), None, None))
    except ValueError:
        return None
    except click.BadParameter as bad:
        raise click.BadParameter(bad.message, param_hint="--review") from None


def _from_file(content: GameRecord, file: Path) -> dict[Language, Review]:
    try:
        read = file.read_bytes()
    except OSError as error:
        said = f"{str(file)!r} is neither a number of seconds, {STORED!r}, nor a readable file: {error.strerror}."
        raise click.BadParameter(said, param_hint="--review") from None
    review = _fit(content, review_in(read, str(file)), str(file))
    moments = list(moments_of(finished(content)))
    try:
        return {language: told_in(review, moments, language) for language in LANGUAGES}
    except ValueError as error:
        raise click.ClickException(f"{str(file)!r} has a review that does not fit this game: {error}.") from None


def review_in(content: bytes, name: str) -> Review:
    """Parse the review in a file: what ``mcmulti review --json`` printed, or the response of a server. Raises
    `click.BadParameter`.
    """
    try:
        try:
            return msgspec.json.decode(content, type=Review)
        except msgspec.ValidationError:
            served = msgspec.json.decode(content, type=ReviewServed).review
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise click.BadParameter(f"{name} is not a review: {error}.", param_hint="--review") from None
    if served is None:
        raise click.BadParameter(f"{name} is the response of a server that had no review yet.", param_hint="--review")
    return served


async def _from_server(content: GameRecord, source: str) -> dict[Language, Review]:
    server = server_in(source)
    if server is None:
        raise click.UsageError(f"--review {STORED} needs a game on a server, as in http://host:8000/v1/games/ID.")
    found: dict[Language, Review] = {}
    async with Client(server) as client:
        for language in LANGUAGES:
            answered = await client.content(f"/v1/games/{content.file.game}/review", language=language)
            review = parsed(server, answered, ReviewServed, "sends a review").review
            if review is None:
                said = f"The server has no review of this game yet. Ask for one at /games/{content.file.game}/review."
                raise click.ClickException(said)
            found[language] = _fit(content, review, server)
    return found


def _fit(content: GameRecord, review: Review, origin: str) -> Review:
    """A review, which must be one of this game. Raises `click.ClickException`."""
    file = content.file
    if review.game != str(file.game):
        raise click.ClickException(f"{origin} has the review of game {review.game}, not of {file.game}.")
    seats = len(finished(content).state().table.player_ids)
    if len(review.players) != seats or any(move.seq > file.seq for move in review.moves):
        raise click.ClickException(f"{origin} has a review that does not fit this game: other seats or events.")
    return review


def print_chances(names: Sequence[str], chances: Sequence[Estimate], out: Console) -> None:
    """Print each seat's chance to win."""
    table = Table("player", box=None)
    table.add_column("chance to win", justify="right")
    for name, chance in zip(names, chances, strict=True):
        table.add_row(name, percent(chance))
    out.print(table)


def print_review(review: Review, out: Console, *, every: bool) -> None:
    """Print the summary of the players, the turning points, and the costly decisions, or `every` move."""
    out.print(_how(review), soft_wrap=True)
    out.print()
    _print_players(review, out)
    out.print()
    out.print("Turning points" if review.turning_points else "Nothing changed much.", soft_wrap=True)
    for point in review.turning_points:
        out.print(f"  {point.seq}  {point.said}", soft_wrap=True)
    out.print()
    if every:
        _print_moves(review, out)
        return
    costly = sorted(filter(_costly, review.moves), key=lambda move: -_points_lost(move))[:COSTLY]
    out.print("Costly decisions" if costly else "No decision was clearly costly.", soft_wrap=True)
    for move in costly:
        assert move.player is not None
        name = review.players[move.player].name
        out.print(f"  {move.seq}  {name}, {100 * _points_lost(move):.1f} points: {move.said}", soft_wrap=True)
        if move.better is not None:
            out.print(f"       Better: {move.better}", soft_wrap=True)


def percent(estimate: Estimate) -> str:
    """A chance with its standard error."""
    error = "" if not estimate.error else f" ± {estimate.error:.1%}"
    return f"{estimate.value:.1%}{error}"


def _how(review: Review) -> str:
    ends = "a round, then a network" if review.learned else "the end of the game"
    alternatives = f"at least {_times(review.tried)}" if review.tried else "not all of them"
    how_often = _times(review.passes) if review.examined == review.commands else f"at least {_times(review.passes)}"
    played = f"Each position was played on {how_often} by {review.policy}, to {ends}"
    if review.examined < review.commands:
        return f"{played}. In this time, {review.examined} of {review.commands} commands could be examined."
    return f"{played}; alternatives {alternatives}."


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _print_players(review: Review, out: Console) -> None:
    table = Table(title="In points: 100 are a victory", title_justify="left")
    table.add_column("player")
    for column in ("decisions", "error rate", "start", "own moves", "others", "luck", "result", "without luck"):
        table.add_column(column, justify="right")
    for player in review.players:
        changes = [_points(change) for change in (player.own, player.others, player.luck)]
        table.add_row(
            player.name,
            str(player.decisions),
            f"{100 * player.error_rate:.1f}%",
            f"{100 * player.start:.1f}",
            *changes,
            f"{100 * player.result:.1f}",
            f"{100 * player.adjusted:.1f}",
        )
    out.print(table)


def _print_moves(review: Review, out: Console) -> None:
    table = Table(title="Chances after each move")
    table.add_column("event", justify="right")
    for player in review.players:
        table.add_column(player.name, justify="right")
    table.add_column("cost", justify="right")
    table.add_column("luck", justify="right")
    table.add_column("what happened")
    for move in review.moves:
        luck = "" if move.luck is None or move.player is None else _points(move.luck[move.player])
        cost = f"{100 * _points_lost(move):.1f}" if _costly(move) else ""
        table.add_row(str(move.seq), *(percent(chance) for chance in move.chances), cost, luck, move.said)
    out.print(table)


def _points_lost(move: ReviewedMove) -> float:
    return 0.0 if move.cost is None else move.cost.value


def _costly(move: ReviewedMove) -> bool:
    """Whether the cost is worth mentioning, and not just within twice its error."""
    return move.cost is not None and move.cost.value >= LEAST and move.cost.value > 2 * (move.cost.error or 0.0)


def _points(change: float) -> str:
    return f"{100 * change:+.1f}"
