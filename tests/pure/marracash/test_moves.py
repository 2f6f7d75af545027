"""Moves, and the customers that they bring."""

import pytest
from msgspec.structs import replace

from mcmulti.domain.core.offers import NumberChoice
from mcmulti.domain.marracash import RULESET
from mcmulti.domain.marracash.commands import MoveGroup, PutUp
from mcmulti.domain.marracash.phases.customers import CustomersEntered, Entering
from mcmulti.domain.marracash.phases.moves import GroupMoved, Prospect, StreetChoice
from mcmulti.domain.marracash.state import NOBODY, Crowd, Shop
from tests.pure.marracash.situations import ADA, BEN, CLEO, after, bidding, happened, offered, refused, situation


def test_move_group__all_go_and_stay_with_whom_they_meet() -> None:
    """Two red visitors and a blue one go from 10 to 15, where a red and a green one stand."""
    state = situation(groups={10: Crowd(red=2, blue=1), 15: Crowd(red=1, green=1)})
    state, events = happened(state, ADA, MoveGroup(10, 15))
    assert events == [GroupMoved(ADA, 10, 15, Crowd(red=2, blue=1))]
    assert (state.group(10), state.group(15)) == (NOBODY, Crowd(red=3, blue=1, green=1))


def test_move_group__again_straight_back_and_into_an_entrance() -> None:
    state = after(situation(groups={3: Crowd(green=1)}), ADA, MoveGroup(3, 1))
    assert state.group(1) == Crowd(green=1, purple=1)
    state = after(state, ADA, MoveGroup(1, 3))
    assert state.group(3) == Crowd(green=1, purple=1)


def test_move_group__only_where_somebody_stands_and_a_street_leads() -> None:
    state = situation(groups={10: Crowd(red=2)})
    assert refused(state, ADA, MoveGroup(11, 10)) == ("no_group", "move/group")
    assert refused(state, ADA, MoveGroup(10, 12)) == ("no_street", "move/group")
    assert {offer.fields["fountain"] for offer in offered(state, ADA)["MoveGroup"]} == {
        NumberChoice((number,), "no_group") for number in (1, 8, 10, 16)
    }


def test_move_group__the_offer_tells_what_each_street_would_bring() -> None:
    """From 14: to 8 past G4, to 15 past G4 and Y5.

    Two green visitors for Ben's empty G4 pay him 300, of which Ada would get 50 for each. A yellow one would be the
    second of her own Y5.
    """
    shops = {"G4": (BEN, 0), "Y5": (ADA, 1)}
    state = situation(shops=shops, groups={14: Crowd(green=2, yellow=1)})
    [offer] = [
        offer
        for offer in offered(state, ADA)["MoveGroup"]
        if offer.fields["fountain"] == NumberChoice((14,), "no_group")
    ]
    streets = offer.fields["to"]
    into_g4 = Entering("G4", BEN, 2, 300, 100)
    assert isinstance(streets, StreetChoice)
    assert streets.options == (8, 15)
    assert streets.prospects == (
        Prospect(8, ("G4",), (into_g4,)),
        Prospect(15, ("G4", "Y5"), (into_g4, Entering("Y5", ADA, 1, 200, 0))),
    )
    assert RULESET.texts.tell_offer(state, offer, "en") == (
        "Lead the group of fountain 14 to fountain 8 (2 customers for G4, 300 dirham, 100 dirham of it for you) or to "
        "fountain 15 (2 customers for G4, 300 dirham, 100 dirham of it for you; 1 customer for Y5, 200 dirham)."
    )
    state = after(state, ADA, MoveGroup(14, 15))
    assert state.cash == (1000 + 100 + 200, 1000 + 300 - 100, 1000)


def test_turn_two_actions__two_moves() -> None:
    """From the second round on. The entrances that they leave are filled at the end, so here the turn is over."""
    state = situation(groups={4: Crowd(red=1)})
    state = after(after(state, ADA, MoveGroup(4, 9)), ADA, MoveGroup(9, 10))
    assert (state.seat, state.left) == (BEN, 2)


def test_turn_two_actions__a_move_and_then_an_auction() -> None:
    state = after(situation(cash=100, groups={4: Crowd(red=1)}), ADA, MoveGroup(4, 9))
    assert set(offered(state, ADA)) == {"MoveGroup", "PutUp"}
    assert after(state, ADA, PutUp("R1", 100)).seat == BEN


def test_turn_two_actions__never_a_move_after_an_auction() -> None:
    state = bidding(after(situation(), ADA, PutUp("R1", 100)), (BEN, None), (CLEO, None))
    assert set(offered(state, ADA)) == {"PutUp"}
    assert refused(state, ADA, MoveGroup(1, 2)) == ("after_auction", "turn/two-actions")


def test_turn_two_actions__two_auctions() -> None:
    state = bidding(after(situation(), ADA, PutUp("R1", 100)), (BEN, None), (CLEO, None))
    state = bidding(after(state, ADA, PutUp("R2", 100)), (BEN, None), (CLEO, None))
    assert (state.seat, state.owned(ADA)) == (BEN, 2)


def test_turn_two_actions__in_a_running_game_it_is_one_players_turn() -> None:
    assert refused(situation(), BEN, MoveGroup(1, 2)) == ("out_of_turn", "turn/two-actions")
    assert offered(situation(), BEN) == {}


def test_customer_enter__at_the_first_sold_shop_of_their_color() -> None:
    """From 1 to 3 they pass P2, B1, R1. P2 is sold and B1 is not: the purple ones enter, the blue one walks on."""
    state = situation(shops={"P2": (ADA, 0)}, groups={1: Crowd(purple=2, blue=1)})
    state, events = happened(state, ADA, MoveGroup(1, 3))
    assert state.group(3) == Crowd(blue=1)
    assert events[1:] == [CustomersEntered("P2", ADA, 3, 2, 300, ADA, 0)]


def test_customer_enter__all_enter_the_first_and_none_the_second_of_the_color() -> None:
    """From 3 to 4: P3 at the first step, P1 at the last. Both are sold."""
    state = situation(shops={"P1": (ADA, 0), "P3": (BEN, 0)}, groups={3: Crowd(purple=3)})
    state = after(state, ADA, MoveGroup(3, 4))
    assert (state.shop("P3").customers, state.shop("P1").customers) == (3, 0)


def test_customer_enter__an_unsold_one_before_it_does_nothing() -> None:
    """The other way, from 4 to 3, P1 is passed before P3, and only P1 is not sold."""
    state = after(situation(shops={"P3": (BEN, 0)}, groups={4: Crowd(purple=1)}), ADA, MoveGroup(4, 3))
    assert state.shop("P3").customers == 1


def test_customer_enter__a_group_fills_two_shops_in_one_move() -> None:
    """From 6 to 5 past B3, then G3: two blue ones enter Ben's B3, three green ones Cleo's G3, and the red one walks on.

    B3 had no customer: 100 + 200 = 300, of which Ada gets 50 each = 100. G3 had one: 200 + 300 + 400 = 900, of which
    she gets 100 each = 300. Were both added up, B3's would bring her 100 each.
    """
    shops = {"B3": (BEN, 0), "G3": (CLEO, 1)}
    state = situation(shops=shops, groups={6: Crowd(blue=2, green=3, red=1)})
    state, events = happened(state, ADA, MoveGroup(6, 5))
    assert events == [
        GroupMoved(ADA, 6, 5, Crowd(blue=2, green=3, red=1)),
        CustomersEntered("B3", BEN, 5, 2, 300, ADA, 100),
        CustomersEntered("G3", CLEO, 5, 3, 900, ADA, 300),
    ]
    assert state.cash == (1400, 1200, 1600)
    assert (state.group(5), state.shop("G3")) == (Crowd(red=1), Shop(CLEO, 4))


def test_customer_enter__beside_the_fountain_where_they_start_nobody_enters() -> None:
    """B1 is beside fountain 3. A blue visitor that stands there, possible only after a sale, walks off to 4."""
    state = after(situation(shops={"B1": (ADA, 0)}, groups={3: Crowd(blue=1)}), ADA, MoveGroup(3, 4))
    assert (state.group(4), state.shop("B1").customers) == (Crowd(blue=1), 0)


@pytest.mark.parametrize(
    ("before", "customers", "income"),
    [(0, 1, 100), (0, 5, 1500), (3, 2, 900), (4, 1, 500), (5, 1, 500), (9, 3, 1500)],
)
def test_customer_income__100_200_300_400_then_500_each(before: int, customers: int, income: int) -> None:
    """Ada brings green ones to her own G4."""
    state = situation(shops={"G4": (ADA, before)}, groups={14: Crowd(green=customers)})
    state = after(state, ADA, MoveGroup(14, 8))
    assert state.cash == (1000 + income, 1000, 1000)
    assert state.shop("G4").customers == before + customers


@pytest.mark.parametrize(
    ("before", "customers", "income", "commission"),
    [
        (0, 1, 100, 50),
        (0, 2, 300, 100),  # 1st + 2nd
        (1, 2, 500, 200),  # 2nd + 3rd
        (0, 3, 600, 300),  # 1st to 3rd
        (2, 1, 300, 50),
        (3, 1, 400, 100),
    ],
)
def test_customer_commission__what_the_shop_takes_in_this_move_decides(
    before: int, customers: int, income: int, commission: int
) -> None:
    """Ada brings green ones to Ben's G4."""
    state = situation(shops={"G4": (BEN, before)}, groups={14: Crowd(green=customers)})
    assert after(state, ADA, MoveGroup(14, 8)).cash == (1000 + commission, 1000 + income - commission, 1000)


@pytest.mark.parametrize(
    ("before", "customers", "income", "commission"),
    [(0, 3, 600, 150), (1, 2, 500, 100), (2, 2, 700, 150), (3, 1, 400, 100), (7, 2, 1000, 200)],
)
def test_customer_commission__where_it_was_agreed_on_each_customers_own_payment_decides(
    before: int, customers: int, income: int, commission: int
) -> None:
    """The first three pay 100, 200 and 300: 50 for each. From the fourth on they pay 400 and more: 100 for each."""
    state = situation(shops={"G4": (BEN, before)}, groups={14: Crowd(green=customers)})
    state = replace(state, setup=replace(state.setup, commission="customer"))
    assert after(state, ADA, MoveGroup(14, 8)).cash == (1000 + commission, 1000 + income - commission, 1000)


def test_customer_commission__two_shops_of_one_owner_are_not_added_up() -> None:
    """Ben's B3 takes 100, his G3 300 from its third customer: at 50 each Ada gets 100, not 200 as for 400."""
    state = situation(shops={"B3": (BEN, 0), "G3": (BEN, 2)}, groups={6: Crowd(blue=1, green=1)})
    assert after(state, ADA, MoveGroup(6, 5)).cash == (1100, 1300, 1000)


def test_customer_commission__two_moves_of_a_turn_are_not_added_up() -> None:
    """Two green ones from 14, then one from 8, for G4: 300 with 100 for Ada, then 300 with 50 for her."""
    state = situation(shops={"G4": (BEN, 0)}, groups={14: Crowd(green=2), 9: Crowd(green=1)})
    state = after(after(state, ADA, MoveGroup(14, 8)), ADA, MoveGroup(9, 8))
    assert state.cash == (1150, 1450, 1000)


def test_customer_commission__none_in_own_shops() -> None:
    state = situation(shops={"G4": (ADA, 0)}, groups={14: Crowd(green=3)})
    assert after(state, ADA, MoveGroup(14, 8)).cash == (1600, 1000, 1000)
