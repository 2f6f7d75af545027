"""How fast the rules are in one process without I/O, side by side with what else one might run.

Every round measures each candidate once, in turn, so that a noisy machine is noisy for all of them; the
ratios are taken round by round, and their median is reported.
"""

import platform
import random as random_module
import statistics
import time
from collections.abc import Callable, Iterable
from hashlib import sha256
from importlib.metadata import version
from typing import Any
from uuid import UUID

import catanatron
import click
import msgspec
from catanatron import Color, Game, RandomPlayer
from rich.console import Console
from rich.table import Table

from mcmulti.domain import marracash, millionenspiel
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.events.codec import event_decoder, fold
from mcmulti.events.envelope import GENESIS, Recorded, broken_link, payload_digest
from mcmulti.events.item import EventItem, item, recorded
from mcmulti.simulation import play
from tests.games import record

Measured = tuple[float, float]
"""Units of work done, and seconds taken."""


def timed(work: Callable[[], int]) -> Measured:
    """How much work was done in what time."""
    start = time.perf_counter()
    done = work()
    return done, time.perf_counter() - start


CHOSEN = (RULESET, millionenspiel.RULESET, marracash.RULESET)
"""The rule sets whose every command can be chosen; sheets of the postal game are written, see `benchmarks.postal`."""


def random_games(ruleset: Ruleset[Any], games: int, seed: int) -> Callable[[], int]:
    """Whole games of four random players; counts decisions."""
    return lambda: sum(1 for game in range(games) for _ in play(ruleset, ruleset.setup(seats=4), seed + game))


def catan_games(games: int, seed: int) -> Callable[[], int]:
    """Whole games of Catan by catanatron's random players; counts decisions."""

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


def main_rows(rounds: int, games: int) -> list[tuple[str, str, str, str]]:
    """One row a figure: what, its median, against what, the ratio."""
    theirs: list[float] = []
    ours: dict[str, list[float]] = {ruleset.name: [] for ruleset in CHOSEN}
    per_game: dict[str, list[float]] = {ruleset.name: [] for ruleset in CHOSEN}
    for number in range(rounds):
        for ruleset in CHOSEN:
            decisions, seconds = timed(random_games(ruleset, games, number * games))
            ours[ruleset.name].append(decisions / seconds)
            per_game[ruleset.name].append(games / seconds)
        decisions, seconds = timed(catan_games(games, number * games))
        theirs.append(decisions / seconds)
    rows = []
    for name, rates in ours.items():
        against = f"catanatron {catanatron_version()} random players: {statistics.median(theirs):,.0f}"
        rows += [
            (f"{name}, random play, decisions/s", f"{statistics.median(rates):,.0f}", against, ratio(rates, theirs)),
            (f"{name}, whole games/s (4 players)", f"{statistics.median(per_game[name]):,.1f}", "", ""),
        ]
    return rows + log_rows(rounds)


def log_rows(rounds: int) -> list[tuple[str, str, str, str]]:
    """Folding a recorded game, with and without the chain, next to decoding or hashing the same bytes alone.

    Bare decoding makes dicts with `msgspec.json.decode`, event by event; decoding to events is what the rule set's
    decoder does, which knows their types. The chain takes two SHA-256 an event.
    """
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

    candidates: dict[str, Callable[[], int]] = {
        "bare lines": bare_lines,
        "bare data": bare_data,
        "typed": typed,
        "hashes": hashed,
        "fold": folded,
        "verify": lambda: verified(events),
        "whole": whole,
    }
    rates: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(rounds):
        for name, work in candidates.items():
            done, seconds = timed(lambda work=work: sum(work() for _ in range(10)))  # type: ignore[misc]
            rates[name].append(done / seconds)

    against = {
        "bare data": "bare decoding of the event data",
        "typed": "decoding to events",
        "hashes": "two SHA-256 of the same bytes",
        "bare lines": "bare decoding of the lines",
    }

    def row(what: str, name: str, base: str) -> tuple[str, str, str, str]:
        return (
            what,
            f"{statistics.median(rates[name]):,.0f}",
            f"{against[base]}: {statistics.median(rates[base]):,.0f}",
            ratio(rates[name], rates[base]),
        )

    return [
        row("decode to events, events/s", "typed", "bare data"),
        row("decode + fold, events/s", "fold", "bare data"),
        row("the same", "fold", "typed"),
        row("decode + verify chain + fold, events/s", "verify", "bare data"),
        row("the same", "verify", "typed"),
        row("the same", "verify", "hashes"),
        row("the same from exported lines, events/s", "whole", "bare lines"),
    ]


def ratio(ours: list[float], theirs: list[float]) -> str:
    """The median of the rounds' ratios, with the least and the greatest."""
    ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def show(rows: Iterable[tuple[str, str, str, str]], rounds: int) -> None:
    """Print figures next to what they are measured against: what, its median, against what, the ratio."""
    table = Table(
        "What",
        "Median",
        "Against",
        "Ratio (least to greatest)",
        title=f"{platform.machine()}, Python {platform.python_version()}, {rounds} rounds",
    )
    for row in rows:
        table.add_row(*row)
    Console().print(table)


def catanatron_version() -> str:
    """Which catanatron is measured."""
    return version(catanatron.__name__)


@click.command()
@click.option("--rounds", default=7, show_default=True, help="How often everything is measured.")
@click.option("--games", default=10, show_default=True, help="Random games a round.")
def main(rounds: int, games: int) -> None:
    """Measure the rules and print a table."""
    show(main_rows(rounds, games), rounds)


if __name__ == "__main__":
    main()
