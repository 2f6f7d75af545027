"""How fast games by post are refereed in one process without I/O, and what a sheet of 200 lines costs.

Every round of measuring measures each candidate once, in turn, so that a noisy machine is noisy for all of them; the
ratios are taken round by round, and their median is reported.
"""

import statistics
from collections.abc import Callable
from itertools import count
from typing import Any

import click
import msgspec

from benchmarks.rules import ratio, show, timed
from mcmulti.domain.core.chance import ScriptedChance, SeededChance
from mcmulti.domain.postal import RULESET
from mcmulti.domain.postal import conditions as c
from mcmulti.domain.postal import sheet as s
from mcmulti.domain.postal.checking import check
from mcmulti.domain.postal.commands import SubmitOrders
from mcmulti.domain.postal.refereeing import RoundClosed
from mcmulti.domain.postal.setup import PostalSetup
from mcmulti.domain.postal.sheet import LINES, OrderSheet
from mcmulti.domain.postal.state import State
from mcmulti.simulation import set_up, take
from tests.pure.postal.games import cleverly, postal_game

GAME = "00000000-0000-4000-8000-000000000000"
REPEATS = 20
"""How often a single piece of work is done before the clock is read."""


def full_sheet() -> OrderSheet:
    """A sheet of 200 lines: half of them ask what cash, climate and pieces are, and most of the others are done.

    49 pairs of a condition and a purchase; 50 pairs of a condition and a sale; two more purchases of barrels.
    """
    condition = c.AllOf(
        (
            c.CashIs(at_least=0),
            c.AnyOf((c.ClimateIs(("recovery",)), c.AssetsAre(at_least=0))),
            c.Not(c.CashIs(at_most=0)),
        )
    )
    orders = tuple(
        s.IfOrder(condition, (s.BuyAssetOrder("rig", s.Plot(1 + number % 6, 1 + number // 6 % 6)),))
        for number in range(49)
    )
    trades: list[Any] = [s.IfTrade(condition, (s.SellBarrelsOrder("foreign", "crude", 1),)) for _ in range(50)]
    trades += [s.BuyBarrelsOrder("foreign", "crude", 1)]
    sheet = OrderSheet(orders, tuple(trades), s.SellAtPumps(5))
    if sheet.measures()["sheet_lines"] != LINES:
        raise AssertionError(f"the sheet has {sheet.measures()['sheet_lines']} lines")
    return sheet


def waiting(sheet: OrderSheet) -> State:
    """A game in its first round in which three have sent this sheet, and one is missing."""
    chance = SeededChance(bytes(32), GAME)
    *_, latest = set_up(RULESET, PostalSetup(), GAME, chance)
    for seat in range(3):
        latest = take(RULESET, latest.state, seat, SubmitOrders(latest.state.round, sheet), chance)
    state: State = latest.state
    return state


def refereed(sheet: OrderSheet) -> Callable[[], int]:
    """Refereeing a round of four such sheets, with dice that fall alike whatever the sheet."""
    state = waiting(sheet)

    def work() -> int:
        for _ in range(REPEATS):
            take(RULESET, state, 3, SubmitOrders(state.round, sheet), ScriptedChance([1, 2] * 4))
        return REPEATS

    return work


def checked(sheet: OrderSheet) -> Callable[[], int]:
    """Looking for mistakes in the sheet."""
    state = waiting(OrderSheet())
    return lambda: sum(1 for _ in range(REPEATS) if check(state, 3, sheet, "en") is not None)


def decoded(sheet: OrderSheet) -> Callable[[], int]:
    """Reading the sheet from JSON, strictly."""
    written, decode = msgspec.json.encode(sheet), msgspec.json.Decoder(OrderSheet).decode
    return lambda: sum(1 for _ in range(REPEATS) if decode(written) is not None)


def rounds_played(games: int, first: int) -> Callable[[], int]:
    """Whole games by players who write short sheets; counts rounds."""

    def work() -> int:
        facts = (
            fact.event
            for seed in range(first, first + games)
            for step in postal_game(seed, cleverly)
            for fact in step.facts
        )
        return sum(isinstance(event, RoundClosed) for event in facts)

    return work


def rows(rounds: int, games: int) -> list[tuple[str, str, str, str]]:
    """One row a figure: what, its median, against what, the ratio of the times."""
    full, empty = full_sheet(), OrderSheet()
    pieces = {"referee a round of four": refereed, "check": checked, "decode": decoded}
    played: list[float] = []
    taken: dict[tuple[str, bool], list[float]] = {(name, large): [] for name in pieces for large in (True, False)}
    seeds = count(0, games)
    work = {(name, large): make(full if large else empty) for name, make in pieces.items() for large in (True, False)}
    for _ in range(rounds):
        done, seconds = timed(rounds_played(games, next(seeds)))
        played.append(done / seconds)
        for each, times in taken.items():
            done, seconds = timed(work[each])
            times.append(seconds / done)
    found = [("games by post, rounds refereed/s", f"{statistics.median(played):,.0f}", "", "")]
    for name in pieces:
        large, small = taken[name, True], taken[name, False]
        against = f"the same of an empty sheet: {1e6 * statistics.median(small):,.0f} µs"
        what = f"{name} {'sheets' if 'four' in name else 'a sheet'} of {LINES} lines, µs"
        found.append((what, f"{1e6 * statistics.median(large):,.0f}", against, ratio(large, small)))
    return found


@click.command()
@click.option("--rounds", default=7, show_default=True, help="How often everything is measured.")
@click.option("--games", default=5, show_default=True, help="Random games a round.")
def main(rounds: int, games: int) -> None:
    """Measure games by post and print a table."""
    show(rows(rounds, games), rounds)


if __name__ == "__main__":
    main()
