"""The special purchase round."""

import msgspec
import pytest

from mcmulti.domain.core.capabilities.leaving import Resign
from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.offers import TextChoice
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import BuyAsset, BuyBarrels, EndPurchases, RollDice, SellAsset
from mcmulti.domain.mcmulti.phases.ending import TurnBegan
from mcmulti.domain.mcmulti.phases.purchase import PurchasesEnded
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.mcmulti.view import view
from mcmulti.domain.oil.rules.assets import AssetBought
from tests.leaving import sits_down
from tests.pure.mcmulti.situations import (
    after,
    assets_phase,
    events,
    offered,
    placed,
    refused,
    site,
    situation,
    started,
)


def _goes(state: State) -> list[tuple[int, int]]:
    """Who has a turn with which quadrant, in order, until the first turn of play begins."""
    goes = []
    while state.phase == "purchase":
        (seat,) = RULESET.to_move(state)
        goes.append((seat, state.purchases[0]))
        state = after(state, seat, EndPurchases())
    return goes


def test_table_vacant__the_go_of_who_left_comes_last_so_that_a_substitute_has_it() -> None:
    """Ada, who comes first, resigns. Ben and Cleo buy nothing. Eve sits down before Dan is done, and buys a rig."""
    state = after(started(), 0, Resign())
    assert state.purchases == (1, 2, 3, 0)
    state = after(after(state, 1, EndPurchases()), 2, EndPurchases())
    state = after(after(state, None, sits_down()), 3, EndPurchases())
    assert (state.phase, state.movers) == ("purchase", (0,))
    assert after(state, 0, BuyAsset("rig", site("1-1"))).players[0].cash == 195


def test_table_vacant__no_player_waits_for_a_substitute_who_does_not_come() -> None:
    """Ada and Cleo are gone. When Ben and Dan are done, the first turn begins, and dice fall for the empty seat."""
    state = after(after(started(), 0, Resign()), 2, Resign())
    state = after(state, 1, EndPurchases())
    assert state.purchases == (3, 0, 2)
    happened = events(state, 3, EndPurchases(), (1, 2))
    assert [event.seat for event in happened if isinstance(event, PurchasesEnded)] == [3, 0, 2]
    assert after(state, 3, EndPurchases(), (1, 2)).movers == (1,)


# The round


@pytest.mark.parametrize(
    ("players", "first", "goes"),
    [
        (4, 0, [(0, 0), (1, 1), (2, 2), (3, 3)]),
        (4, 2, [(2, 2), (3, 3), (0, 0), (1, 1)]),
        (3, 0, [(0, 0), (1, 1), (2, 2)]),
        (3, 1, [(1, 1), (2, 2), (0, 0)]),
        (2, 0, [(0, 0), (1, 1), (0, 2), (1, 3)]),
        (2, 1, [(1, 1), (0, 2), (1, 3), (0, 0)]),
    ],
)
def test_purchase_round__goes_clockwise_from_the_first_player_and_passes_by_the_ghost(
    players: int, first: int, goes: list[tuple[int, int]]
) -> None:
    """With two players, each of the four quadrants has a turn of its own."""
    assert _goes(started(players, first=first)) == goes


def test_purchase_round__then_the_first_player_has_the_first_turn() -> None:
    state = started(4, first=2)
    for seat in (2, 3, 0):
        state = after(state, seat, EndPurchases())
    assert events(state, 1, EndPurchases()) == [PurchasesEnded(1, 1), TurnBegan(1, 2, 2)]


def test_purchase_round__any_number_of_rigs_stations_and_refineries_at_recovery_prices() -> None:
    """A refinery at 64, a station at 48, two rigs at 5 come to 122 of 200."""
    state = started()
    assert events(state, 0, BuyAsset("refinery", site("2-3"))) == [AssetBought(0, "refinery", site("2-3"), 64)]
    state = after(state, 0, BuyAsset("refinery", site("2-3")))
    state = after(state, 0, BuyAsset("station", site("1-1")))
    state = after(state, 0, BuyAsset("rig", site("6-6")))
    state = after(state, 0, BuyAsset("rig", site("6-5")))
    assert state.players[0].cash == 200 - 122
    assert state.quadrants[0] == placed("refinery 2-3, station 1-1, rig 6-6, rig 6-5")
    assert RULESET.to_move(state) == (0,)


def test_purchase_round__three_kinds_are_for_sale_and_wells_are_not() -> None:
    prices = {offer.fields["kind"]: offer.price for offer in offered(started(), 0, "BuyAsset")}
    assert prices == {TextChoice(("rig",)): 5, TextChoice(("station",)): 48, TextChoice(("refinery",)): 64}
    with pytest.raises(msgspec.ValidationError, match="well"):
        msgspec.convert({"type": "BuyAsset", "kind": "well", "site": site("1-1")}, BuyAsset, from_attributes=True)
    rejection = refused(started(), 0, BuyAsset("well", site("1-1")))  # type: ignore[arg-type]
    assert (rejection.rule, rejection.field) == ("purchase/round", "kind")


@pytest.mark.parametrize("command", [BuyBarrels("domestic", "crude", 1), SellAsset("rig", site("1-1")), RollDice()])
def test_purchase_round__no_barrels_are_dealt_nothing_is_sold_and_no_dice_roll(command: Command) -> None:
    state = after(started(), 0, BuyAsset("rig", site("1-1")))
    rejection = refused(state, 0, command)
    assert (rejection.code, rejection.rule) == ("out_of_phase", "turn/phases")


def test_purchase_round__others_wait_for_their_go() -> None:
    state = started()
    for command in (BuyAsset("rig", site("1-1", 1)), EndPurchases()):
        rejection = refused(state, 1, command)
        assert (rejection.code, rejection.rule) == ("out_of_turn", "turn/phases")


@pytest.mark.parametrize("quadrant", [1, 2, 3])
def test_purchase_round__an_asset_goes_in_the_quadrant_whose_go_it_is(quadrant: int) -> None:
    """Player 0 of two owns quadrant 2 as well, but now it is quadrant 0's turn."""
    rejection = refused(started(2), 0, BuyAsset("rig", site("1-1", quadrant)))
    assert (rejection.code, rejection.rule, rejection.field) == ("site", "site/one-asset", "site")


def test_purchase_round__two_quadrants_of_a_player_share_the_purse() -> None:
    """Four refineries in quadrant 0 leave 44 of 300 for quadrant 2: no station, but six rigs and 14 to spare."""
    state = started(2)
    for place in ("1-1", "1-3", "3-1", "3-3"):
        state = after(state, 0, BuyAsset("refinery", site(place)))
    state = after(after(state, 0, EndPurchases()), 1, EndPurchases())
    assert (RULESET.to_move(state), state.purchases[0], state.players[0].cash) == ((0,), 2, 44)
    rejection = refused(state, 0, BuyAsset("station", site("1-1", 2)))
    assert (rejection.code, rejection.rule) == ("cash", "purchase/cash-only")
    for column in range(1, 7):
        state = after(state, 0, BuyAsset("rig", site(f"1-{column}", 2)))
    assert state.players[0].cash == 14


# No credit


def test_purchase_cash_only__when_cash_runs_out_nothing_more_is_offered() -> None:
    """200 pay for three refineries (192) and a rig (5). 3 are left, not enough for another rig."""
    state = started()
    for place in ("1-1", "1-3", "1-5"):
        state = after(state, 0, BuyAsset("refinery", site(place)))
    state = after(state, 0, BuyAsset("rig", site("6-6")))
    assert state.players[0].cash == 3
    assert offered(state, 0, "BuyAsset") == []
    rejection = refused(state, 0, BuyAsset("rig", site("6-5")))
    assert (rejection.code, rejection.rule, rejection.limit) == ("cash", "purchase/cash-only", None)


@pytest.mark.parametrize(("kind", "price"), [("rig", 16), ("station", 100), ("refinery", 160)])
def test_purchase_cash_only__the_exact_price_is_enough_and_one_less_is_not(kind: str, price: int) -> None:
    """Prices of the Prosperity."""
    command = BuyAsset(kind, site("1-1"))  # type: ignore[arg-type]
    enough = assets_phase(situation(economy="prosperity", cash=price))
    assert after(enough, 0, command).players[0].cash == 0
    rejection = refused(assets_phase(situation(economy="prosperity", cash=price - 1)), 0, command)
    assert (rejection.code, rejection.rule) == ("cash", "purchase/cash-only")


def test_purchase_cash_only__barrels_are_paid_in_cash_too() -> None:
    """20 pay for the crude on 6 and 7, not for the one on 8 as well."""
    rejection = refused(situation(cash=20), 0, BuyBarrels("domestic", "crude", 3))
    assert (rejection.code, rejection.rule, rejection.limit) == ("cash", "purchase/cash-only", 2)


@pytest.mark.parametrize("reader", [None, 0, 3])
def test_purchase_cash_only__everybody_sees_everybodys_cash(reader: int | None) -> None:
    shown = view(situation(cash={0: 7, 1: 80, 2: 0, 3: 749}), reader)
    assert [seat.cash for seat in shown.seats] == [7, 80, 0, 749]


def test_site_one_asset__nothing_that_stands_is_moved() -> None:
    """In no phase does a command move an asset to another site. It can only be sold."""
    assert {move.__name__ for move in RULESET.commands.moves if "site" in move.__struct_fields__} == {
        "BuyAsset",
        "SellAsset",
        "StrikeOil",
        "CleanUp",
    }
