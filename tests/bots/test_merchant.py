"""The merchant in MarraCash: among random players, among its like, and what it knows of the town by heart."""

from random import Random
from typing import Any, Union

import msgspec
import pytest

from benchmarks.contests import contest, played
from mcmulti.bots.bazaar import BESIDE, COLOUR, STREETS, commission, income
from mcmulti.bots.merchant import merchant
from mcmulti.bots.strategies import strategies_of
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.marracash import RULESET, components, town
from mcmulti.domain.marracash.names import SHOPS
from mcmulti.domain.marracash.state import Bazaar, Crowd, MarraCashSetup
from mcmulti.domain.marracash.turns import LastRoundStarted
from mcmulti.simulation import set_up, take
from tests.pure.marracash.situations import ADA, BEN, CLEO, after, empty_town, happened, situation

MOVES: Any = Union[RULESET.commands.moves]  # noqa: UP007
NOBODY = Crowd()


def chosen(state: Bazaar, seat: int) -> Any:
    """What a merchant does on this seat."""
    wire = msgspec.json.encode((RULESET.view(state, seat), RULESET.offers(state, seat)))
    view, offers = msgspec.json.decode(wire)
    [command] = merchant(view, offers)
    assert msgspec.json.encode((view, offers)) == wire, "a strategy leaves alone what it is shown"
    return msgspec.convert(command, MOVES)


def test_it_is_the_strategy_that_plays_marracash_best() -> None:
    assert strategies_of("marracash") == ("merchant", "random")


@pytest.mark.parametrize("seats", [3, 4])
def test_a_merchant_wins_far_more_than_its_share_among_random_players(seats: int) -> None:
    """In 200 games far more than 160: here 20, and at least 14 of them."""
    assert sum(contest(RULESET, lambda seed: merchant, seats, 20)) >= 14


@pytest.mark.parametrize("seats", [3, 4])
def test_merchants_among_themselves_come_to_an_end_because_the_queue_does(seats: int) -> None:
    chance = SeededChance(Random(seats).randbytes(32), "game")
    state: Bazaar = list(set_up(RULESET, MarraCashSetup(seats=seats), "game", chance))[-1].state
    last_rounds = []
    while moving := RULESET.to_move(state):
        step = take(RULESET, state, moving[0], chosen(state, moving[0]), chance)
        last_rounds += [fact.event for fact in step.facts if isinstance(fact.event, LastRoundStarted)]
        state = step.state
    [last_round] = last_rounds
    assert not last_round.standstill
    assert min(state.cash) > components.CASH


def test_the_same_seed_gives_the_same_game() -> None:
    assert played(RULESET, [merchant] * 3, 5) == played(RULESET, [merchant] * 3, 5)


def test_its_streets_are_those_of_the_town() -> None:
    assert STREETS.keys() == town.NEIGHBOURS.keys()
    for start, streets in STREETS.items():
        assert tuple(streets) == town.NEIGHBOURS[start]
        for to, passed in streets.items():
            # Two doors at the same step are of two colours: their order decides nothing.
            assert sorted(passed) == sorted(town.STREETS[start, to].shops)
            for colour in "RBGYP":
                of_colour = [shop for shop in town.STREETS[start, to].shops if shop[0] == colour]
                assert [shop for shop in passed if shop[0] == colour] == of_colour
    assert BESIDE == town.BESIDE
    assert all(COLOUR[shop[0]] == town.colour_of(shop) for shop in SHOPS)


def test_its_prices_are_those_of_the_rules() -> None:
    for before in range(8):
        for customers in range(1, 8):
            taken = components.income(before, customers)
            assert income(before, customers) == taken
            assert commission(customers, taken) == components.customer_commission(customers, taken)


def test_it_leads_customers_into_its_own_shop_rather_than_into_another_players() -> None:
    """At 12 stand two purple visitors: towards 11 is P5, Ada's; Ben's B5 is passed by nobody who wants in."""
    state = situation(
        shops={"P5": (ADA, 2), "R4": (BEN, 0)}, groups={12: Crowd(purple=2, red=2), 1: NOBODY, 8: NOBODY, 16: NOBODY}
    )
    move = chosen(state, ADA)
    assert (move.fountain, move.to) == (12, 11)
    _, [_, entered, *_] = happened(state, ADA, move)
    assert (entered.shop, entered.income) == ("P5", 700)  # type: ignore[attr-defined]


def test_it_passes_where_a_shop_cannot_bring_what_it_costs() -> None:
    """Nobody wants to go into a red shop any more."""
    state = empty_town(groups={3: Crowd(blue=2)}, seat=ADA, cash=1000)
    state = after(state, ADA, _put_up("R1", 100))
    assert type(chosen(state, BEN)).__name__ == "PassBid"


def test_it_bids_for_a_shop_beside_which_many_wait() -> None:
    """Four wait beside B1: they pay 100 + 200 + 300 + 400 at once, so 1000 are what it is worth."""
    state = empty_town(groups={3: Crowd(blue=4)}, seat=ADA, cash={ADA: 975, BEN: 2000, CLEO: 0})
    cheap = after(state, ADA, _put_up("B1", 875))
    dear = after(state, ADA, _put_up("B1", 975))
    assert chosen(cheap, BEN).bid == 900
    assert chosen(dear, BEN).bid == 1000
    dearer = after(empty_town(groups={3: Crowd(blue=4)}, seat=ADA, cash=2000), ADA, _put_up("B1", 1000))
    assert type(chosen(dearer, BEN)).__name__ == "PassBid"


def _put_up(shop: str, bid: int) -> Any:
    return msgspec.convert({"type": "PutUp", "shop": shop, "bid": bid}, MOVES)
