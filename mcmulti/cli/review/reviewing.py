"""Games that are reviewed: over, and proven."""

import click

from mcmulti.domain.core.wording.telling import LANGUAGES, Language
from mcmulti.evaluation.reviews.review import Reviewing
from mcmulti.events.store.game_file import GameRecord
from mcmulti.library.record import Record
from mcmulti.projections.reviews import Review


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
