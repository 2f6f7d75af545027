"""How fast games by post are refereed in one process without I/O, and what a sheet of 200 lines costs."""

from collections.abc import Callable
from contextlib import AsyncExitStack
from itertools import count
from typing import Any

import msgspec

from benchmarks.figures import Aim, Figure, Item, Measure, Taken
from benchmarks.rules import timed
from benchmarks.scale import Scale
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.postal import RULESET
from mcmulti.domain.postal.commands import SubmitOrders
from mcmulti.domain.postal.conditions import conditions as c
from mcmulti.domain.postal.names import LINES, Plot
from mcmulti.domain.postal.refereeing.refereeing import RoundClosed
from mcmulti.domain.postal.sheets import sheet as s
from mcmulti.domain.postal.sheets.checking import check
from mcmulti.domain.postal.sheets.sheet import OrderSheet
from mcmulti.domain.postal.state import PostalSetup, State
from mcmulti.library.steps import set_up, take
from tests.pure.postal.games import cleverly, postal_game
from tests.scripted_chance import ScriptedChance

GAME = "00000000-0000-4000-8000-000000000000"
REPEATS = 20
"""Repetitions of a single piece of work between two looks at the clock."""


def full_sheet() -> OrderSheet:
    """A sheet of 200 lines: half of them check cash, climate, and pieces, and most of the others are carried out.

    49 pairs of a condition and a purchase, 50 pairs of a condition and a sale, and two more purchases of barrels.
    """
    condition = c.AllOf(
        (
            c.CashIs(at_least=0),
            c.AnyOf((c.ClimateIs(("recovery",)), c.AssetsAre(at_least=0))),
            c.Not(c.CashIs(at_most=0)),
        )
    )
    orders = tuple(
        s.IfOrder(condition, (s.BuyAssetOrder("rig", Plot(1 + number % 6, 1 + number // 6 % 6)),))
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
    """Referee a round of four such sheets, with the same dice whatever the sheet."""
    state = waiting(sheet)

    def work() -> int:
        for _ in range(REPEATS):
            take(RULESET, state, 3, SubmitOrders(state.round, sheet), ScriptedChance([1, 2] * 4))
        return REPEATS

    return work


def checked(sheet: OrderSheet) -> Callable[[], int]:
    """Look for mistakes in the sheet."""
    state = waiting(OrderSheet())
    return lambda: sum(1 for _ in range(REPEATS) if check(state, 3, sheet, "en") is not None)


def decoded(sheet: OrderSheet) -> Callable[[], int]:
    """Read the sheet from JSON, strictly."""
    written, decode = msgspec.json.encode(sheet), msgspec.json.Decoder(OrderSheet).decode
    return lambda: sum(1 for _ in range(REPEATS) if decode(written) is not None)


def rounds_played(games: int, first: int) -> Callable[[], int]:
    """Whole games by players who write short sheets. Counts rounds."""

    def work() -> int:
        facts = (
            fact.event
            for seed in range(first, first + games)
            for step in postal_game(seed, cleverly)
            for fact in step.facts
        )
        return sum(isinstance(event, RoundClosed) for event in facts)

    return work


PLAYED = Figure("games by post, random sheets, rounds refereed in one process", "rounds/s")
_PIECES = {"referee a round of four sheets": refereed, "check a sheet": checked, "decode a sheet": decoded}
_FULL = {what: Figure(f"{what} of {LINES} lines", "µs") for what in _PIECES}
_EMPTY = {what: Figure(f"{what}, empty", "µs") for what in _PIECES}
AIMS = tuple(Aim(f"{what}: {LINES} lines / empty", _FULL[what], (_EMPTY[what],), "under") for what in _PIECES)


async def _prepared(scale: Scale, _: AsyncExitStack) -> list[Measure]:
    games = max(1, scale.games // 2)
    seeds = count(0, games)
    sheets = ((_FULL, full_sheet()), (_EMPTY, OrderSheet()))
    work = [(named[what], make(sheet)) for what, make in _PIECES.items() for named, sheet in sheets]

    async def measure() -> Taken:
        done, seconds = timed(rounds_played(games, next(seeds)))
        taken = {PLAYED: done / seconds}
        for figure, piece in work:
            done, seconds = timed(piece)
            taken[figure] = 1e6 * seconds / done
        return taken

    return [measure]


ITEMS = (Item("rounds", _prepared, (PLAYED, *(each[what] for what in _PIECES for each in (_FULL, _EMPTY)))),)
