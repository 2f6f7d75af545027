"""Figures that follow from seeds and not from the machine: contests, lengths of games, instructions.

They are stored in ``seeded.json``, from which RESULTS.md is written. ``python -m benchmarks --all`` computes them
again.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean

import msgspec
from msgspec import Struct

from benchmarks import contests, instructions, lengths
from benchmarks.processes import module, output
from mcmulti.bots.strategies.registry import strategy_for
from mcmulti.cli.records.arena import ArenaReport
from mcmulti.domain.rulesets import CURRENT

KEPT = Path(__file__).with_name("seeded.json")
MATCH_SECONDS = 48 * 3600.0
"""Seconds that a match of two strategies may take: some think for a second."""


class Contest(Struct, frozen=True):
    """Victories of a strategy alone among random players, in games with seeds from 0 on."""

    ruleset: str
    strategy: str
    seats: int
    games: int
    won: int


class Match(Struct, frozen=True):
    """Two strategies, two seats each: victories of the first, and its share of all seats' with its interval (95 %)."""

    command: str
    strategy: str
    rival: str
    games: int
    won: float
    share: float
    low: float
    high: float


class Length(Struct, frozen=True):
    """The length of random games: minimum, 5, 50, 95 of 100, and maximum of each figure."""

    ruleset: str
    seats: int
    games: int
    counted: str
    spread: tuple[int, int, int, int, int]


class Requests(Struct, frozen=True):
    """Requests with commands in a whole box game, on average: in a player's own turns, in others'.

    Also the number of turns.
    """

    seats: int
    games: int
    instructed: bool
    own: float
    others: float
    turns: float


class Seeded(Struct, frozen=True):
    """All of them."""

    contests: tuple[Contest, ...]
    matches: tuple[Match, ...]
    lengths: tuple[Length, ...]
    requests: tuple[Requests, ...]


def kept() -> Seeded:
    """The last results."""
    return msgspec.json.decode(KEPT.read_bytes(), type=Seeded)


def keep(found: Seeded) -> None:
    """Store it."""
    KEPT.write_bytes(msgspec.json.format(msgspec.json.encode(found)) + b"\n")


def computed(before: Seeded, say: Callable[[str], None]) -> Seeded:
    """The same figures again, from as many games."""
    found: dict[str, list[Struct]] = {"contests": [], "matches": [], "lengths": [], "requests": []}
    for one in before.contests:
        found["contests"].append(contested(one))
        say(f"seeded: {one.strategy} among {one.seats - 1} random players")
    for match in before.matches:
        found["matches"].append(matched(match))
        say(f"seeded: {match.command}")
    for ruleset, seats, games in sorted({(one.ruleset, one.seats, one.games) for one in before.lengths}):
        found["lengths"] += measured(ruleset, seats, games)
        say(f"seeded: lengths of {ruleset}, {seats} players")
    for request in before.requests:
        found["requests"].append(requested(request))
        say(f"seeded: instructions, {request.seats} players")
    return msgspec.convert({name: tuple(each) for name, each in found.items()}, Seeded, from_attributes=True)


def contested(one: Contest) -> Contest:
    """The same contest, played."""
    maker = strategy_for(one.ruleset, one.strategy)
    won = sum(contests.contest(CURRENT[one.ruleset], maker, one.seats, one.games))
    return msgspec.structs.replace(one, won=won)


def matched(match: Match) -> Match:
    """The same match, played."""
    report = msgspec.json.decode(output(module(*match.command.split(), "--json"), MATCH_SECONDS), type=ArenaReport)
    first = next(each for each in report.standings if each.entrant == 0)
    share = first.share
    bounds = {"low": _to_the_thousandth(share.low), "high": _to_the_thousandth(share.high)}
    return msgspec.structs.replace(match, won=first.victories, share=_to_the_thousandth(share.value), **bounds)


def _to_the_thousandth(figure: float) -> float:
    return round(figure, 3)


def measured(ruleset: str, seats: int, games: int) -> Sequence[Length]:
    """The length of this many random games, with seeds from 0 on."""
    counted = [lengths.length(CURRENT[ruleset], seats, seed) for seed in range(games)]
    return [
        Length(ruleset, seats, games, what, lengths.spread([each[what] for each in counted])) for what in counted[0]
    ]


def requested(one: Requests) -> Requests:
    """The same games, played."""
    orders = instructions.ORDERS if one.instructed else None
    played = [instructions.counted(one.seats, seed, orders) for seed in range(one.games)]
    own, others, turns = (round(mean(game[kind] for game in played), 1) for kind in ("own", "others", "turns"))
    return msgspec.structs.replace(one, own=own, others=others, turns=turns)
