"""The sentences of a review, made from its numbers and its game, in any language."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from mcmulti.domain.core.wording.telling import Language
from mcmulti.evaluation.reviews.moments import CommandPlayed, happened_in, line_of, names_in
from mcmulti.library.game import action_of
from mcmulti.projections.labels import REVIEW, Labels
from mcmulti.projections.reviews import Review, ReviewedMove, TurningPoint

LEAST = 0.01
"""The least cost for which a turning point names the better move."""


def told_in(review: Review, moments: Iterable[CommandPlayed], language: Language) -> Review:
    """A review with new names and sentences, in a language.

    `moments`: the commands of its game. Raises `ValueError` for a review of other commands.
    """
    played = {moment.seq: moment for moment in moments}
    if not played:
        raise ValueError("the game has no commands")
    names = names_in(played[max(played)].after, language)
    _check(review, played, len(names))
    moves = tuple(_move(move, played[move.seq], language) for move in review.moves)
    players = tuple(replace(player, name=name) for player, name in zip(review.players, names, strict=True))
    told = replace(review, players=players, moves=moves)
    return replace(told, turning_points=tuple(_point(point, told, REVIEW[language]) for point in told.turning_points))


def _check(review: Review, played: Mapping[int, CommandPlayed], seats: int) -> None:
    """Raise `ValueError` if a review is not one of these commands."""
    for move in review.moves:
        if move.seq not in played or move.player != played[move.seq].player:
            raise ValueError(f"event {move.seq} does not end a command of this player")
    lucky = [move.luck for move in review.moves if move.luck is not None]
    by_seat = [review.players, *(move.chances for move in review.moves), *lucky]
    if {len(each) for each in by_seat} != {seats} or any(point.seat >= seats for point in review.turning_points):
        raise ValueError(f"the game has {seats} seats")


def _move(move: ReviewedMove, moment: CommandPlayed, language: Language) -> ReviewedMove:
    said, better = happened_in(moment, language), None
    if move.alternative is not None and move.player is not None:
        try:
            action = action_of(moment.before.game, move.alternative)
            better = line_of(moment.before, action, move.player, language) or None
        except (KeyError, TypeError) as error:
            raise ValueError(f"the alternative to event {move.seq} is not a command: {error}") from None
    return replace(move, said=said, better=better)


def _point(point: TurningPoint, review: Review, say: Labels) -> TurningPoint:
    """A turning point in words: what happened, whose chance it changed, and what would have been better."""
    seat = point.seat
    before = review.players[seat].start
    for move in review.moves:
        if move.seq == point.seq:
            sentences = _sentences(move, seat, review.players[seat].name, before, move.chances[seat].value, say)
            return replace(point, said=" ".join(sentences))
        before = move.chances[seat].value
    raise ValueError(f"event {point.seq} was not reviewed")


def _sentences(move: ReviewedMove, seat: int, name: str, old: float, new: float, say: Labels) -> Iterator[str]:
    lucky = move.luck is not None and abs(move.luck[seat]) > abs(new - old) / 2
    rises, falls = ("rises_by_luck", "falls_by_luck") if lucky else ("rises", "falls")
    changed = rises if new > old else falls
    yield move.said
    yield say.said[changed].format(name=name, old=say.percent.format(100 * old), new=say.percent.format(100 * new))
    if not lucky and move.better is not None and move.cost is not None and move.cost.value >= LEAST:
        yield say.better.format(line=move.better)
