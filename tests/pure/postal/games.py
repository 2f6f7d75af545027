"""Whole games by post: random sheets, an occasional missed deadline, and players who know how to end the game."""

from collections.abc import Callable, Iterator
from itertools import count
from random import Random
from typing import Any

from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.commands import Command
from mcmulti.domain.oil.names import KINDS, MARKETS, Buyable
from mcmulti.domain.oil.rules.board import sites
from mcmulti.domain.postal import RULESET
from mcmulti.domain.postal.commands import CloseRound, SubmitOrders
from mcmulti.domain.postal.conditions import conditions as c
from mcmulti.domain.postal.names import Plot
from mcmulti.domain.postal.refereeing.assets import struck
from mcmulti.domain.postal.sheets import sheet as s
from mcmulti.domain.postal.sheets.sheet import OrderSheet
from mcmulti.domain.postal.state import PostalSetup, State
from mcmulti.library.steps import Step, set_up, take
from mcmulti.simulation import carry_on
from tests.pure.postal.sheets import fill, mostly_orders, plot

MOST = 400
"""Commands after the start. Games by post seldom take more."""

PURCHASES: tuple[tuple[Buyable, int], ...] = (("refinery", 180), ("station", 90), ("rig", 20))
"""The minimum cash for each purchase, in millions of dollars."""

Mover = Callable[[State, Random, SeededChance], Step]
"""What makes the next move of a game."""


def postal_game(seed: int, move: Mover, most: int = MOST) -> Iterator[Step]:
    """A game, command by command, to its end or for this many commands. The same seed gives the same game."""
    random, game_id = Random(seed), f"00000000-0000-4000-a000-{seed:012x}"
    chance = SeededChance(random.randbytes(32), game_id)
    for latest in set_up(RULESET, PostalSetup(third_double="stands" if seed % 2 else "again"), game_id, chance):
        yield latest
    for _ in range(most):
        state: State = latest.state
        if state.phase == "over":
            return
        latest = move(state, random, chance)
        yield latest


def whimsically(state: State, random: Random, chance: SeededChance) -> Step:
    """Any sheet. One deadline in twenty passes before all sheets are in."""
    if random.random() < 0.05:
        return take(RULESET, state, None, CloseRound(state.round), chance)
    (step,) = carry_on(RULESET, state, chance, random, mostly_orders, 1, fill)
    return step


def cleverly(state: State, random: Random, chance: SeededChance) -> Step:
    """A short sheet: what cash allows, and, if that may win the game, sales of everything that the last roll hit."""
    seat = state.missing[0]
    cash = state.players[seat].cash
    orders: list[Any] = [s.ConvertRigOrder()] if struck(state, seat) else []
    if cash >= 700:
        sales: tuple[Any, ...] = tuple(
            s.SellAssetOrder(kind, Plot(site.row, site.column))
            for kind in KINDS
            for site in sites(seat, state.hits[seat].standing(kind))
        )
        orders.append(s.IfOrder(c.CashIs(at_least=750), sales))
    for kind, reserve in PURCHASES:
        if cash >= reserve:
            orders.append(s.BuyAssetOrder(kind, plot(random)))
            break
    least, price = (1, None) if cash >= 800 else (8, 14)
    sale = s.SellBarrelsOrder(random.choice(MARKETS), "gasoline", "max", not_below=price)
    trades = (s.IfTrade(c.BarrelsAre(good="gasoline", at_least=least), (sale,)),)
    return submitted(state, seat, OrderSheet(tuple(orders), trades, s.SellAtPumps(3)), chance)


def unreliably(state: State, random: Random, chance: SeededChance) -> Step:
    """Like clever players, but every tenth time, the deadline passes first."""
    if random.random() < 0.1:
        return take(RULESET, state, None, CloseRound(state.round), chance)
    return cleverly(state, random, chance)


def idly(state: State, random: Random, chance: SeededChance) -> Step:
    """Like clever players in round 1. Then nothing, and no sales at the pumps."""
    if state.round == 1:
        return cleverly(state, random, chance)
    return submitted(state, state.missing[0], OrderSheet(pumps=s.HoldPumps()), chance)


def submitted(state: State, seat: int, sheet: OrderSheet, chance: SeededChance) -> Step:
    """The sheet is sent."""
    command: Command = SubmitOrders(state.round, sheet)
    return take(RULESET, state, seat, command, chance)


def postal_games(move: Mover) -> Iterator[list[Step]]:
    """Game after game."""
    for seed in count():
        yield list(postal_game(seed, move))
