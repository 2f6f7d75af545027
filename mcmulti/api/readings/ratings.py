"""Ratings: the ladder, and how a game changed it."""

from bisect import bisect_right
from typing import Annotated, Literal, get_args
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from mcmulti.api.http.answers import Answer
from mcmulti.api.http.contract import Call, LanguageQuery, answer, operation
from mcmulti.api.operations.players import known
from mcmulti.api.telling.ladder import AGE
from mcmulti.api.telling.rated import Points, RatingView, points, rating
from mcmulti.api.telling.tables import Name
from mcmulti.domain.core.figures import RulesetName, Seat, Sentence
from mcmulti.domain.core.wording.telling import Language
from mcmulti.domain.rulesets import DEFAULT
from mcmulti.events.ports.accounts import Kind, Player
from mcmulti.projections.labels import REDUCED, REFUNDED, UNRATED
from mcmulti.projections.statistics.ratings import Assessment, LadderRung, RatingChange, Reduced, Refunded, Unrated

LISTS: dict[str, Kind] = {"people": "human", "bots": "bot"}
MOST = 100
"""Players on a page."""

Rung = Annotated[
    str,
    Meta(
        pattern="^[01]:-?[0-9]{1,9}:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
        description="Start of the next page. Use the value as received.",
    ),
]


class RatingsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`ruleset`: whose ratings. `kind`: of people, or of bots. `after`: the `next` of the previous page."""

    ruleset: Annotated[str, Meta(max_length=40, pattern="^[a-z_]{1,40}$")] = DEFAULT
    kind: Literal["people", "bots"] = "people"
    after: Rung | UnsetType = UNSET
    limit: Annotated[int, Meta(ge=1, le=MOST)] = 20


class RatedPlayer(Struct, frozen=True):
    """A player on the ladder. `rating`: the player's strength."""

    player: UUID
    name: Name
    rating: RatingView


class LadderPage(Struct, frozen=True):
    """A page of the ladder of a rule set: the best first, then those whose rating is provisional.

    `kind`: of people, or of bots. `players`: in order. `next` continues the list as ``after``; null at its end.
    """

    ruleset: RulesetName
    kind: Literal["people", "bots"]
    players: Annotated[tuple[RatedPlayer, ...], Meta(max_length=MOST)]
    next: Rung | None


class ReducedWeight(Struct, frozen=True):
    """Why a player counts less for its opponents: a `reason`, and the same as a `sentence`."""

    reason: Reduced
    sentence: Sentence


class Refund(Struct, frozen=True):
    """Why a player got back points that a game had cost: a `reason`, and the same as a `sentence`."""

    reason: Refunded
    sentence: Sentence


class SeatRating(Struct, frozen=True):
    """What a game changed for the first player of a seat: the rating `before` and `after` it, and the difference.

    `weight`: how much a comparison with this player counted for its opponents. `reduced`: why that is less than 1, or
    why some of them gained nothing from it. `refund`: why the game costs this player less than before; null if nothing
    was given back.
    """

    seat: Seat
    player: UUID
    name: Name
    before: Points
    after: Points
    change: Points
    weight: Annotated[float, Meta(ge=0, le=1, description="1 for full weight, rounded to hundredths.")]
    reduced: Annotated[tuple[ReducedWeight, ...], Meta(max_length=len(get_args(Reduced)))]
    refund: Refund | None


class GameRating(Struct, frozen=True):
    """Whether a game is rated. `asked`: whether its table was opened as a rated one.

    `state`: `open` until the game is over; then `rated`, or `not_rated` for a `reason`, explained in a `sentence`.
    `seats`: what it changed, without erased players.
    """

    game: UUID
    asked: bool
    state: Literal["open", "rated", "not_rated"]
    reason: Unrated | None
    sentence: Sentence | None
    seats: tuple[SeatRating, ...]


@operation(
    "GET",
    "/v1/ratings",
    tag="players",
    summary="Read the ladder of a rule set",
    answer=LadderPage,
    problems=("unknown_ruleset",),
)
async def list_ratings(call: Call, query: RatingsQuery) -> Answer:
    """Ranks players by the rated games of the rule set. People and bots have separate ladders."""
    ruleset, ladder, log = known(query.ruleset).name, call.service.ladder, call.service.log
    await ladder.look(AGE)
    places = ladder.standings(ruleset, LISTS[query.kind])
    start = 0 if isinstance(query.after, UnsetType) else bisect_right(places, _place(query.after))
    found: list[RatedPlayer] = []
    last = None
    while start < len(places) and len(found) < query.limit:
        page = places[start : start + query.limit - len(found)]
        names = await log.names([place.player for place in page])  # erased players have none
        for last in page:
            strength = ladder.strength(ruleset, last.player)
            if strength is not None and last.player in names:
                found.append(RatedPlayer(last.player, names[last.player], rating(ruleset, strength)))
        start += len(page)
    more = None if last is None or start >= len(places) else _rung(last)
    return answer(LadderPage(ruleset, query.kind, tuple(found), more), Cache_Control="no-store")


@operation(
    "GET",
    "/v1/games/{game}/rating",
    summary="Show whether a game is rated, and what it changed",
    answer=GameRating,
)
async def get_rating(call: Call, query: LanguageQuery, caller: Player | None, game: UUID) -> Answer:
    """For a finished game, returns what it changed for each seat, or why it is not rated. Everyone may look."""
    service = call.service
    now = await service.log.game(game)
    asked, verdict = now.access.rated, None
    if now.status == "finished":
        verdict = await service.ladder.verdict(game) if asked else Assessment("not_asked")
    if verdict is None:
        told = GameRating(game, asked, "open", None, None, ())
    elif verdict.unrated is not None:
        sentence = UNRATED[query.language].said[verdict.unrated]
        told = GameRating(game, asked, "not_rated", verdict.unrated, sentence, ())
    else:
        names = await service.log.names([change.player for change in verdict.changes])
        left = [change for change in verdict.changes if change.player in names]
        seats = tuple(_seat_rating(change, names[change.player], query.language) for change in left)
        told = GameRating(game, asked, "rated", None, None, seats)
    return answer(told, Cache_Control="no-store")


def _seat_rating(change: RatingChange, name: str, language: Language) -> SeatRating:
    before, after = points(change.before.rating), points(change.after.rating)
    weight = round(change.weight, 2)
    said = REDUCED[language].said
    reduced = tuple(ReducedWeight(reason, said[reason]) for reason in change.reduced)
    why = change.refunded
    refund = None if why is None else Refund(why, REFUNDED[language].said[why])
    return SeatRating(change.seat, change.player, name, before, after, points(after - before), weight, reduced, refund)


def _rung(place: LadderRung) -> str:
    return f"{place.provisional:d}:{place.points}:{place.player}"


def _place(rung: str) -> LadderRung:
    provisional, thousandths, player = rung.split(":")
    return LadderRung(provisional == "1", int(thousandths), UUID(player))
