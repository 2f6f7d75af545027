"""The end of a game in which nothing changes anymore."""

from collections.abc import Iterator
from random import Random

import pytest
from msgspec import Struct
from msgspec.structs import replace

from mcmulti.domain.core.offers import Offer
from mcmulti.domain.core.table import SeedRevealed
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import BuyAsset, BuyBarrels, DeclareVictory, EndTurn, RollDice
from mcmulti.domain.mcmulti.news.taxes import TaxPaid
from mcmulti.domain.mcmulti.phases.dice import DiceRolled
from mcmulti.domain.mcmulti.phases.ending import GameFinished, TurnBegan
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.mcmulti.view import view
from mcmulti.domain.oil.rules.ending import AssetsLiquidated, GameStoodStill
from mcmulti.library.steps import Step
from mcmulti.simulation import play
from tests.pure.mcmulti.situations import after, assets_phase, events, rolled, rules, site, situation

QUIET = (4, 4)
"""Dice that change neither the difference track nor the news."""
PASSES = ("EndPurchases", "RollDice", "EndProduction", "EndCleanUp", "EndTurn")


def last_of(turns: int, players: int = 4, *, quadrant: int = 0, assets: dict[int, str] | None = None) -> State:
    """The asset phase of the last of this many turns in which nothing changed."""
    return assets_phase(replace(situation(players, quadrant=quadrant, assets=assets), still=turns))


def test_table_standstill__the_fortieth_turn_without_a_change_ends_the_game() -> None:
    """Ten rounds of four quadrants. Everybody has 100. Ada's station brings 18 in the Depression, Ben's rig 2."""
    state = last_of(40, assets={0: "station 1-1", 1: "rig 1-1"})
    happened = events(state, 0, EndTurn())
    assert happened[:3] == [
        GameStoodStill(10),
        AssetsLiquidated(0, rigs=0, wells=0, stations=1, refineries=0, proceeds=18),
        AssetsLiquidated(1, rigs=1, wells=0, stations=0, refineries=0, proceeds=2),
    ]
    assert [type(event) for event in happened[3:]] == [GameFinished, SeedRevealed]
    assert rules(state, 0, EndTurn()) == [
        "table/standstill",
        "final/liquidation",
        "final/liquidation",
        "final/winner",
        "chance/reveal",
    ]
    over = after(state, 0, EndTurn())
    assert (RULESET.status(over), over.winners) == ("finished", (0,))
    assert [(one.seat, one.rank, one.cash) for one in over.standings] == [
        (0, 1, 118),
        (1, 2, 102),
        (2, 3, 100),
        (3, 3, 100),
    ]
    assert (RULESET.outcome(over).declared_by, RULESET.outcome(over).winners) == (None, (0,))


def test_table_standstill__the_thirty_ninth_does_not() -> None:
    assert events(last_of(39), 0, EndTurn()) == [TurnBegan(6, 1, 1)]


def test_table_standstill__everybody_can_see_how_near_it_is() -> None:
    """Nothing stands on the board: Ada's turn brings nothing, and Ben buys a barrel in his."""
    state = after(after(situation(), 0, RollDice(), QUIET), 0, EndTurn())
    assert view(state, None).still == 1
    state = after(state, 1, BuyBarrels("domestic", "crude", 1))
    assert view(state, 2).still == 0


def test_table_standstill__a_change_in_the_last_turn_puts_it_off() -> None:
    """One rig for 5 in the fortieth turn: ten more rounds must pass."""
    state = after(last_of(40), 0, BuyAsset("rig", site("1-1")))
    assert state.still == 0
    assert after(state, 0, EndTurn()).still == 1


def test_table_standstill__barrels_are_a_change_too() -> None:
    state = after(replace(situation(), still=40), 0, BuyBarrels("domestic", "crude", 1))
    assert state.still == 0


def test_table_standstill__news_that_costs_nobody_anything_is_no_change() -> None:
    """The winter uses up barrels of the market, which belong to nobody. A player who has nothing pays no tax."""
    winter = rolled(replace(situation(cash=0), still=12), 1, 1, 1)
    assert winter.still == 12
    taxed = replace(situation(cash=0, crude={1: 1}, likelier="snap_inspection"), still=12)
    assert TaxPaid(1, 3, 0) in events_of(taxed)
    assert rolled(taxed, 1, 1, 1).still == 12


def test_table_standstill__a_tax_that_is_paid_is_a_change() -> None:
    taxed = replace(situation(cash=1, crude={1: 1}, likelier="snap_inspection"), still=12)
    assert TaxPaid(1, 3, 1) in events_of(taxed)
    assert rolled(taxed, 1, 1, 1).still == 0


def events_of(state: State) -> list[Struct]:
    """What a double 1 brings."""
    return events(state, 0, RollDice(), (1, 1, 1))


def test_table_standstill__the_ghosts_turn_counts_and_may_be_the_last() -> None:
    """Cleo ends turn 39. The ghost's, with a double 4, is the fortieth."""
    happened = events(last_of(39, 3, quadrant=2), 2, EndTurn(), QUIET)
    assert happened[0] == TurnBegan(6, 3, None)
    assert isinstance(happened[1], DiceRolled)
    assert happened[-3] == GameStoodStill(10)


def test_table_standstill__with_two_players_both_quadrants_of_each_have_their_turns() -> None:
    """40 turns are ten of each quadrant, twenty of each player."""
    assert GameStoodStill(10) not in events(last_of(20, 2), 0, EndTurn())
    assert GameStoodStill(10) in events(last_of(40, 2), 0, EndTurn())


def test_table_standstill__a_declaration_comes_first_and_the_last_round_is_played_out() -> None:
    """Ada declares in the fortieth turn. The others have their last turns, in which nothing changes either."""
    state = last_of(40)
    state = replace(state, players=(replace(state.players[0], cash=750), *state.players[1:]))
    state = after(state, 0, DeclareVictory())
    for seat in (1, 2, 3):
        assert (state.phase, state.now.seat) == ("market", seat)
        happened = events(rolled(state, *QUIET), seat, EndTurn())
        assert GameStoodStill(10) not in happened
        state = after(rolled(state, *QUIET), seat, EndTurn())
    assert (RULESET.status(state), state.declared_by) == ("finished", 0)


def _passing(random: Random, offers: tuple[Offer, ...]) -> Offer:
    """The smallest legal move."""
    return next(offer for offer in offers if offer.command in PASSES)


def passed(players: int, seed: int) -> Iterator[Step]:
    """A game of players who only pass."""
    return play(RULESET, Setup(seats=players), seed, _passing, 20_000)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(8))
def test_table_standstill__games_of_players_who_only_pass_end_by_it(players: int, seed: int) -> None:
    """Forty turns in a row have no payment. Only the inspector ever moves anything."""
    happened = [fact.event for step in passed(players, seed) for fact in step.facts]
    stood = happened.index(GameStoodStill(10))
    assert [type(event) for event in happened[stood + 1 :]] == [GameFinished, SeedRevealed]
    began = [index for index, event in enumerate(happened) if isinstance(event, TurnBegan)]
    paid = [index for index, event in enumerate(happened) if isinstance(event, TaxPaid) and event.paid]
    assert not [index for index in paid if index > began[-40]]
    if len(began) > 40:
        assert any(began[-41] < index < began[-40] for index in paid)


@pytest.mark.parametrize("seed", range(6))
def test_table_standstill__every_event_that_moves_what_players_have_begins_the_count_anew(seed: int) -> None:
    """According to the books, a move to or from a seat is a change, and nothing else is."""
    state: State | None = None
    for step in play(RULESET, Setup(seats=2 + seed % 3), seed, most_steps=400):
        for fact in step.facts:
            before = state.still if state else 0
            state = RULESET.evolve(state, fact.event)
            moved = RULESET.books.transfers(fact.event)
            theirs = any(account.startswith("seat:") for one in moved for account in (one.source, one.target))
            if isinstance(fact.event, AssetsLiquidated):
                continue
            assert state.still == (0 if theirs else before + isinstance(fact.event, TurnBegan)), fact
