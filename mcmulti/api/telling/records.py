"""Players' results and reliability, computed from the log's tenures."""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from mcmulti.api.telling.tables import Tables
from mcmulti.domain.core.figures import RulesetName
from mcmulti.events.ports.game_index import GameIndex, TenureRow

GAMES = 500
"""The number of latest games in a record."""
LAST = 100
"""The number of latest games for reliability."""

HowMany = Annotated[int, Meta(ge=0, le=GAMES)]
Times = Annotated[int, Meta(ge=0, le=1_000_000)]


class ResultTally(Struct, frozen=True):
    """The results of finished games: how many were `played`, of these `won` alone, won with others (`shared`), `lost`,
    and `left` while they were running.
    """

    played: HowMany
    won: HowMany
    shared: HowMany
    lost: HowMany
    left: HowMany


class RulesetRecord(Struct, frozen=True):
    """A player's games of a rule set. `running`: how many are in progress.

    `with_people`: games played from the start. `with_bots`: those in which all others were bots. `as_substitute`: games
    with people that the player joined later.
    """

    ruleset: RulesetName
    running: HowMany
    with_people: ResultTally
    with_bots: ResultTally
    as_substitute: ResultTally


class Reliability(Struct, frozen=True):
    """A player's reliability in the last `games` games. `missed`: deadlines missed with a choice to make.

    `resigned`: how often the player left a game. `vacated`: how often the player lost the seat, for too many misses in
    a row.
    """

    games: Annotated[int, Meta(ge=0, le=LAST)]
    missed: Times
    resigned: Times
    vacated: Times


class PlayerRecord(Struct, frozen=True):
    """The results of a player's latest 500 games, by rule set, and the reliability in the latest 100 of them.

    `with_people`: in games with people. `with_bots`: in those in which all others were bots. Games that were called off
    do not count. `incomplete`: games are missing, because a part of the database is down; ask again later.
    """

    rulesets: Annotated[tuple[RulesetRecord, ...], Meta(max_length=100)]
    with_people: Reliability
    with_bots: Reliability
    incomplete: bool


async def record_of(log: GameIndex, tables: Tables, player: UUID) -> PlayerRecord:
    """The record of a player. Raises `LogUnavailable`."""
    away: set[str] = set()
    tenures = await log.tenures_of(player, GAMES, away)
    kinds = await tables.kinds({other for tenure in tenures for other in tenure.against})
    return record(tenures, {other for other, kind in kinds.items() if kind == "bot"}, incomplete=bool(away))


def record(tenures: Collection[TenureRow], bots: Collection[UUID], *, incomplete: bool = False) -> PlayerRecord:
    """The record of a player with these games, the latest first; `bots`: which of the others are bots."""
    counted = [(tenure, _with_bots(tenure, bots)) for tenure in tenures if tenure.result != "off"]
    latest = counted[:LAST]
    return PlayerRecord(
        tuple(
            _of_a_ruleset(ruleset, [each for each in counted if each[0].ruleset == ruleset])
            for ruleset in sorted({tenure.ruleset for tenure, _ in counted})
        ),
        _reliability(tenure for tenure, with_bots in latest if not with_bots),
        _reliability(tenure for tenure, with_bots in latest if with_bots),
        incomplete,
    )


def _with_bots(tenure: TenureRow, bots: Collection[UUID]) -> bool:
    return bool(tenure.against) and all(other in bots for other in tenure.against)


def _of_a_ruleset(ruleset: str, played: Collection[tuple[TenureRow, bool]]) -> RulesetRecord:
    return RulesetRecord(
        ruleset,
        sum(tenure.result is None for tenure, _ in played),
        _tally(tenure for tenure, with_bots in played if not with_bots and not tenure.substitute),
        _tally(tenure for tenure, with_bots in played if with_bots),
        _tally(tenure for tenure, with_bots in played if not with_bots and tenure.substitute),
    )


def _tally(played: Iterable[TenureRow]) -> ResultTally:
    results = Counter(tenure.result for tenure in played if tenure.result is not None)
    return ResultTally(results.total(), results["won"], results["shared"], results["lost"], results["left"])


def _reliability(played: Iterable[TenureRow]) -> Reliability:
    tenures = list(played)
    return Reliability(
        len(tenures),
        sum(tenure.missed for tenure in tenures),
        sum(tenure.resigned for tenure in tenures),
        sum(tenure.vacated for tenure in tenures),
    )
