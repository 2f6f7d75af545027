"""The report of a game, and its statistics; its rounds, and the report of each."""

import re
from typing import Annotated, TypeVar
from uuid import UUID

from msgspec import Meta, Struct

from mcmulti.api.caching.moments import MomentQuery, made_once, moment
from mcmulti.api.caching.representation import Representation
from mcmulti.api.http.answers import Answer
from mcmulti.api.http.contract import DEAR, Call, operation
from mcmulti.api.http.problems import ApiError
from mcmulti.api.http.received import Tags
from mcmulti.domain.core.capabilities.rounds import RoundReport
from mcmulti.domain.core.figures import Count
from mcmulti.domain.core.wording.telling import Language
from mcmulti.events.log.item import AtMoment
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.accounts import Player
from mcmulti.projections.reports.games import GameReport, reported
from mcmulti.projections.reports.letters import as_markdown, as_text
from mcmulti.projections.reports.rounds import NoRounds, OpenRound, RoundSpan, RoundTrail, UnknownRound
from mcmulti.projections.statistics.game import GameStatistics, GameTally
from mcmulti.projections.statistics.reckoning import Reckoner

TEXT = "text/plain"
MARKDOWN = "text/markdown"
_NUMBER = re.compile(r"[1-9]\d{0,9}", re.ASCII)
_CODES = {UnknownRound: "unknown_round", OpenRound: "open_round"}

L = TypeVar("L", GameReport, RoundReport)


class GameReportQuery(MomentQuery, frozen=True, forbid_unknown_fields=True):
    """`language`: of the report."""

    language: Language = "en"


class RoundsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`after`: only rounds after this one. `limit`: the most rounds."""

    after: Count = 0
    limit: Annotated[int, Meta(ge=1, le=1000)] = 100


class ReportQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`language`: of the report."""

    language: Language = "en"


class Rounds(AtMoment, frozen=True):
    """The rounds of a game, in order. `seq` and `hash` are the head. `rounds`: a page of them.

    `next` continues the page as ``after``, null at the end.
    """

    rounds: Annotated[tuple[RoundSpan, ...], Meta(max_length=1000)]
    next: Count | None


@operation(
    "GET",
    "/v1/games/{game}/report",
    tag="log",
    summary="Read who won the game, by which rule, and why",
    answer=GameReport,
    texts=(TEXT, MARKDOWN),
    cost=DEAR,
    readers="all",
    named=True,
)
async def get_game_report(
    call: Call, query: GameReportQuery, caller: Player | None, game: UUID, if_none_match: Tags
) -> Answer:
    """Returns how the game ended and by which rule, who was ahead when, what made the difference, the biggest swings,
    final holdings, cash flows, and luck. Before the end, it returns who is ahead and why. By `Accept`, it is JSON, text
    of eighty columns, or Markdown. It reveals nothing that is sealed.
    """
    at = await moment(call, game, query.at)

    async def made() -> Struct | bytes:
        position = at.position
        reckoner = await call.service.folds.reach(position, Reckoner, lambda: Reckoner(position.ruleset))

        def report() -> GameReport:
            return reported(reckoner.reckoning(query.language, at.called), query.language)

        return _in_format(call, await call.service.apart(report))

    return await made_once(call, at, if_none_match, made)


@operation(
    "GET",
    "/v1/games/{game}/rounds",
    tag="log",
    summary="List the rounds of a game",
    answer=Rounds,
    problems=("no_rounds",),
    cost=DEAR,
    readers="all",
)
async def list_rounds(call: Call, query: RoundsQuery, caller: Player | None, game: UUID, if_none_match: Tags) -> Answer:
    """For games that are played in rounds. Lists the events of each round, and whether it has been refereed."""
    at = await moment(call, game)
    told, head = Representation(call, at), at.position.head

    async def made() -> Rounds:
        trail = await _trail(call, at.position)
        found = [each for each in await call.service.apart(trail.spans) if each.round > query.after]
        page, more = tuple(found[: query.limit]), len(found) > query.limit
        return Rounds(game, head.seq, head.hash.hex(), page, page[-1].round if more else None)

    body = await told.get_or_make(made)
    return told.unchanged(if_none_match) or told.answer(body)


@operation(
    "GET",
    "/v1/games/{game}/rounds/{round}",
    tag="log",
    summary="Read the report of a round, as a referee would write it",
    answer=RoundReport,
    texts=(TEXT, MARKDOWN),
    problems=("no_rounds", "open_round"),
    cost=DEAR,
    readers="all",
    named=True,
)
async def get_round_report(
    call: Call, query: ReportQuery, caller: Player | None, game: UUID, round: str, if_none_match: Tags
) -> Answer:
    """Returns, player by player, the orders carried out, the orders skipped and why, conditions with the values that
    decided them, dice, hits, production, markets, and the standing. By `Accept`, it is JSON, text of eighty columns, or
    Markdown. A round that has not been refereed yet has no report.
    """
    at = await moment(call, game)
    number = int(round) if _NUMBER.fullmatch(round) else 0
    told = Representation(call, at)

    async def made() -> Struct | bytes:
        try:
            span = (await _trail(call, at.position)).span(number)
        except (UnknownRound, OpenRound) as error:
            raise ApiError(_CODES[type(error)], str(error)) from None
        trail = await _trail(call, at.position, span.last)
        return _in_format(call, await call.service.apart(trail.report, query.language, at.called))

    body = await told.get_or_make(made)
    return told.unchanged(if_none_match) or told.answer(body)


def _in_format(call: Call, told: L) -> L | bytes:
    """A report in the requested format."""
    written = {TEXT: as_text, MARKDOWN: as_markdown}.get(call.media_type)
    return told if written is None else written(told).encode()


async def _trail(call: Call, now: Position, until: int | None = None) -> RoundTrail:
    """The rounds up to this position, or to event `until`, as everybody may read them: a report can reveal no more."""
    try:
        return await call.service.folds.reach(now, RoundTrail, lambda: RoundTrail(now.ruleset), until)
    except NoRounds as error:
        raise ApiError("no_rounds", str(error)) from None


class StatisticsOfGame(AtMoment, frozen=True):
    """The statistics of a game after event `seq`.

    `statistics`: the numbers.
    """

    statistics: GameStatistics


@operation(
    "GET",
    "/v1/games/{game}/statistics",
    tag="log",
    summary="Show the statistics of a game: dice, luck, income, and spending",
    answer=StatisticsOfGame,
    cost=DEAR,
    readers="all",
    named=True,
)
async def get_statistics(
    call: Call, query: MomentQuery, caller: Player | None, game: UUID, if_none_match: Tags
) -> Answer:
    """Returns how often each die showed each face, with a chi-square test; what the dice let each seat operate,
    compared with the average of all rolls; income and spending by reason; and length and winners.
    """
    at = await moment(call, game, query.at)
    head = at.position.head

    async def made() -> StatisticsOfGame:
        tally = await call.service.folds.reach(at.position, GameTally, lambda: GameTally(at.position.ruleset))
        counted = await call.service.apart(lambda: tally.named(at.called).statistics())
        return StatisticsOfGame(game, head.seq, head.hash.hex(), counted)

    return await made_once(call, at, if_none_match, made)
