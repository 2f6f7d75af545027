"""How fast the rules are in one process without I/O, beside another game engine, bare decoding, and hashing."""

import random as random_module
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from hashlib import sha256
from itertools import count
from typing import Any
from uuid import UUID

import msgspec

from benchmarks.figures import Aim, Figure, Item, Measure, Taken
from benchmarks.scale import Scale
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.domain.rulesets import PLAYED_BY_ORDERS, SHIPPED
from mcmulti.events.log.codec import event_decoder, fold
from mcmulti.events.log.envelope import GENESIS, Recorded, broken_link, payload_digest
from mcmulti.events.log.item import EventItem, item, recorded
from mcmulti.simulation import play
from tests.games import record

Measured = tuple[float, float]
"""Units of work done, and seconds taken."""


def timed(work: Callable[[], int]) -> Measured:
    """How much work was done in what time."""
    start = time.perf_counter()
    done = work()
    return done, time.perf_counter() - start


CHOSEN = tuple(ruleset for name, ruleset in SHIPPED.items() if name not in PLAYED_BY_ORDERS)
"""The rule sets with a finite choice of commands. Sheets of the postal game are written, see `benchmarks.postal`."""


def random_games(ruleset: Ruleset[Any], games: int, seed: int) -> Callable[[], int]:
    """Whole games of four random players. Counts decisions."""
    return lambda: sum(1 for game in range(games) for _ in play(ruleset, ruleset.setup(seats=4), seed + game))


def catan_games(games: int, seed: int) -> Callable[[], int]:
    """Whole games of Catan by catanatron's random players. Counts decisions."""
    from catanatron import Color, Game, RandomPlayer

    def work() -> int:
        decisions = 0
        for number in range(games):
            random_module.seed(seed + number)
            game = Game([RandomPlayer(color) for color in Color], seed=seed + number)
            while game.winning_color() is None and game.state.num_turns < 1000:
                game.play_tick()
                decisions += 1
        return decisions

    return work


DECISIONS = {ruleset.name: Figure(f"{ruleset.name}, random play", "decisions/s") for ruleset in CHOSEN}
GAMES = {ruleset.name: Figure(f"{ruleset.name}, random play: whole games of four", "games/s") for ruleset in CHOSEN}
CATANATRON = Figure("catanatron, random play", "decisions/s")
_BARE_DATA = Figure("bare decoding of the event data", "events/s")
_TYPED = Figure("decode to events", "events/s")
_HASHES = Figure("two SHA-256 of the same bytes", "events/s")
_FOLD = Figure("decode and fold", "events/s")
_VERIFY = Figure("decode, verify the chain, and fold", "events/s")
_BARE_LINES = Figure("bare decoding of exported lines, envelope included", "events/s")
_WHOLE = Figure("decode, verify the chain, and fold exported lines", "events/s")
LOADING = (_BARE_DATA, _TYPED, _HASHES, _FOLD, _VERIFY, _BARE_LINES, _WHOLE)
AIMS = (
    *(
        Aim(f"{name}, random play / catanatron", figure, (CATANATRON,), value=5 if name == RULESET.name else 2)
        for name, figure in DECISIONS.items()
    ),
    Aim("decode to events / bare decoding", _TYPED, (_BARE_DATA,)),
    Aim("decode and fold / bare decoding", _FOLD, (_BARE_DATA,)),
    Aim("decode and fold / decode to events", _FOLD, (_TYPED,)),
    Aim("decode, verify the chain, and fold / bare decoding", _VERIFY, (_BARE_DATA,), value=0.12),
    Aim("decode, verify the chain, and fold / two SHA-256", _VERIFY, (_HASHES,)),
    Aim("exported lines: decode, verify the chain, and fold / bare decoding", _WHOLE, (_BARE_LINES,)),
)
REPEATS = 10
"""How often a recorded game is loaded between two looks at the clock."""


async def _played(scale: Scale, _: AsyncExitStack) -> list[Measure]:
    seeds = count(0, scale.games)

    async def measure() -> Taken:
        seed, taken = next(seeds), {}
        for ruleset in CHOSEN:
            decisions, seconds = timed(random_games(ruleset, scale.games, seed))
            taken[DECISIONS[ruleset.name]] = decisions / seconds
            taken[GAMES[ruleset.name]] = scale.games / seconds
        return taken

    return [measure]


async def _catan(scale: Scale, _: AsyncExitStack) -> list[Measure]:
    return [catanatron_rate(CATANATRON, scale.games)]


def catanatron_rate(figure: Figure, games: int) -> Measure:
    """Decisions per second of catanatron, with other games in every round."""
    seeds = count(0, games)

    async def measure() -> Taken:
        decisions, seconds = timed(catan_games(games, next(seeds)))
        return {figure: decisions / seconds}

    return measure


async def _loading(_: Scale, __: AsyncExitStack) -> list[Measure]:
    """A recorded game folded, with and without the chain, and the same bytes only decoded or hashed."""
    steps = list(play(RULESET, Setup(seats=4), 7))
    events = record(UUID(steps[0].state.game_id), steps)
    lines = [msgspec.json.encode(item(event)) for event in events]
    game_id = events[0].game_id
    decode_item = msgspec.json.Decoder(EventItem).decode
    decode_data = event_decoder(RULESET.name, RULESET.version)
    data = [event.data for event in events]
    headers = [
        msgspec.json.encode(
            (game_id, event.seq, event.type, event.rule, event.actor, event.command_id, event.recorded_at)
        )
        for event in events
    ]

    def bare_lines() -> int:
        for line in lines:
            msgspec.json.decode(line)
        return len(lines)

    def bare_data() -> int:
        for one in data:
            msgspec.json.decode(one)
        return len(data)

    def whole() -> int:
        loaded = [recorded(game_id, decode_item(line)) for line in lines]
        return verified(loaded)

    def verified(loaded: list[Recorded]) -> int:
        if broken_link(loaded) is not None:
            raise AssertionError("the chain is broken")
        fold(RULESET, loaded)
        return len(loaded)

    def folded() -> int:
        fold(RULESET, events)
        return len(events)

    def typed() -> int:
        for one in data:
            decode_data(one)
        return len(data)

    def hashed() -> int:
        before = GENESIS
        for event, header in zip(events, headers, strict=True):
            before = sha256(before + payload_digest(event.data, event.command) + header).digest()
        return len(events)

    candidates: dict[Figure, Callable[[], int]] = {
        _BARE_DATA: bare_data,
        _TYPED: typed,
        _HASHES: hashed,
        _FOLD: folded,
        _VERIFY: lambda: verified(events),
        _BARE_LINES: bare_lines,
        _WHOLE: whole,
    }

    async def measure() -> Taken:
        taken = {}
        for figure, work in candidates.items():
            done, seconds = timed(lambda work=work: sum(work() for _ in range(REPEATS)))  # type: ignore[misc]
            taken[figure] = done / seconds
        return taken

    return [measure]


ITEMS = (
    Item("play", _played, (*DECISIONS.values(), *GAMES.values())),
    Item("catanatron", _catan, (CATANATRON,), ("catanatron",)),
    Item("loading", _loading, LOADING),
)
