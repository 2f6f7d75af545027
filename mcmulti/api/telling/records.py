"""What players' games came to, and how reliable they are: made of what the log keeps of who played what."""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from mcmulti.api.telling.tables import Tables
from mcmulti.domain.core.figures import RulesetName
from mcmulti.events.ports.game_index import GameIndex, TenureRow

GAMES = 500
"""Of how many games, the latest, a record is made."""
LAST = 100
"""Of how many of them is told how reliable a player is."""

HowMany = Annotated[int, Meta(ge=0, le=GAMES)]
Times = Annotated[int, Meta(ge=0, le=1_000_000)]


class ResultTally(Struct, frozen=True):
    """What games came to that are over: how many were `played`, of these `won` alone, won with others (`shared`),
    `lost`, and `left` while they ran.
    """

    played: HowMany
    won: HowMany
    shared: HowMany
    lost: HowMany
    left: HowMany


class RulesetRecord(Struct, frozen=True):
    """What a player's games of a rule set came to. `running`: how many it plays now.

    `with_people`: games that it played from the start. `with_bots`: those in which all others were bots.
    `as_substitute`: games with people to which it came later.
    """

    ruleset: RulesetName
    running: HowMany
    with_people: ResultTally
    with_bots: ResultTally
    as_substitute: ResultTally


class Reliability(Struct, frozen=True):
    """How reliable a player was in so many `games`. `missed`: deadlines that it let pass with a choice to make.

    `resigned`: how often it left a game. `vacated`: how often its seat was taken from it, for too many misses running.
    """

    games: Annotated[int, Meta(ge=0, le=LAST)]
    missed: Times
    resigned: Times
    vacated: Times


class PlayerRecord(Struct, frozen=True):
    """What a player's latest 500 games came to, by rule set, and how reliable it was in the latest 100 of them.

    `with_people`: in games with people. `with_bots`: in those in which all others were bots. Games that were called off
    count nowhere. `incomplete`: games are missing, because a part of the database is away; ask again later.
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
    """What is told of a player who played these games, the latest first; `bots`: which of the others are."""
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
