"""Reviews that were made before: by a server, or by ``mcmulti review --json``."""

from pathlib import Path

import click
import msgspec
from msgspec import Struct

from mcmulti.cli.options import SECONDS
from mcmulti.cli.review.reviewing import finished, reviews_of
from mcmulti.cli.running import run
from mcmulti.client.client import Client
from mcmulti.client.sources import server_in
from mcmulti.domain.core.wording.telling import LANGUAGES, Language
from mcmulti.evaluation.reviews.moments import moments_of
from mcmulti.evaluation.reviews.wording import told_in
from mcmulti.events.store.game_file import GameRecord
from mcmulti.projections.reviews import Review

STORED = "stored"
"""Says that the review is the one that the server of the game has."""


class _Served(Struct):
    """The review that a server responds with."""

    review: Review | None


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
            served = msgspec.json.decode(content, type=_Served).review
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
            review = review_served(answered, server)
            if review is None:
                said = f"The server has no review of this game yet. Ask for one at /games/{content.file.game}/review."
                raise click.ClickException(said)
            found[language] = _fit(content, review, server)
    return found


def review_served(content: bytes, server: str) -> Review | None:
    """Parse a server's response about a review. Raises `click.ClickException`."""
    try:
        return msgspec.json.decode(content, type=_Served).review
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise click.ClickException(f"{server} sends a review that cannot be read: {error}.") from None


def _fit(content: GameRecord, review: Review, origin: str) -> Review:
    """A review, which must be one of this game. Raises `click.ClickException`."""
    file = content.file
    if review.game != str(file.game):
        raise click.ClickException(f"{origin} has the review of game {review.game}, not of {file.game}.")
    seats = len(finished(content).state().table.player_ids)
    if len(review.players) != seats or any(move.seq > file.seq for move in review.moves):
        raise click.ClickException(f"{origin} has a review that does not fit this game: other seats or events.")
    return review
