"""The souvenir cards: which are open, who sells what, and what it brings. Amounts in dirhams."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from mcmulti.domain.core.capabilities.undo import TakeBack
from mcmulti.domain.core.commands import StartGame
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.marracash import RULESET
from mcmulti.domain.marracash.commands import MoveGroup, PassBid, PutUp
from mcmulti.domain.marracash.phases.customers import CustomersEntered
from mcmulti.domain.marracash.phases.souvenirs import SouvenirSold, SouvenirsTurnedOver
from mcmulti.domain.marracash.state import CARDS, Bazaar, Crowd, Souvenir
from tests.pure.marracash.situations import (
    ADA,
    BEN,
    CLEO,
    after,
    bidding,
    happened,
    refused,
    situation,
    table,
    with_souvenirs,
)
from tests.scripted_chance import ScriptedChance

GREEN_100, GREEN_150, RED_50 = Souvenir("green", 100), Souvenir("green", 150), Souvenir("red", 50)


def playing(*cards: Souvenir, unseen: Sequence[Souvenir] | None = None, **more: Any) -> Bazaar:
    """A situation at a table with souvenirs, of which these are open."""
    return with_souvenirs(situation(**more), *cards, unseen=unseen)


def beside_g4(owner: int, *cards: Souvenir, green: int = 2, before: int = 0, **more: Any) -> Bazaar:
    """Green ones stand on fountain 14, and `owner` has the green shop on the way to 8."""
    return playing(*cards, shops={"G4": (owner, before)}, groups={14: Crowd(green=green)}, **more)


def led(state: Bazaar, dice: Sequence[int] = ()) -> tuple[Bazaar, list[Any]]:
    """Ada leads the group of 14 to 8, past G4."""
    return happened(state, ADA, MoveGroup(14, 8), dice)


def test_souvenirs_open__25_cards_five_of_each_color() -> None:
    """Red cards bring 500 together, purple 625, green 750, blue 875, yellow 1000."""
    together: Mapping[str, int] = {
        color: sum(card.dirham for card in CARDS if card.colour == color)
        for color in ("red", "purple", "green", "blue", "yellow")
    }
    assert together == {"red": 500, "purple": 625, "green": 750, "blue": 875, "yellow": 1000}
    assert len(set(map(str, CARDS))) == 25


def test_souvenirs_open__two_are_turned_over_when_the_game_begins() -> None:
    """The first and the last of the 25, in the order of their colors: red 50, purple 175."""
    opened = table()
    opened = replace(opened, setup=replace(opened.setup, souvenirs="open"))
    state, events = happened(opened, ADA, StartGame(), [*[1] * 54, ADA + 1, 1, 24])
    [turned] = [event for event in events if isinstance(event, SouvenirsTurnedOver)]
    assert turned.souvenirs == state.souvenirs == (RED_50, Souvenir("purple", 175))
    assert [draw.sides for draw in turned.draws] == [25, 24]
    assert len(state.unseen) == 23


def test_souvenirs_open__none_where_the_table_plays_without() -> None:
    state, events = happened(table(), ADA, StartGame(), [*[1] * 54, ADA + 1])
    assert state.souvenirs == ()
    assert not any(isinstance(event, SouvenirsTurnedOver) for event in events)
    view: Any = RULESET.view(state, ADA)
    assert (view.souvenirs, view.unseen_souvenirs) == ((), 0)


def test_souvenirs_open__sold_cards_are_replaced_when_the_move_is_over() -> None:
    """Green 150 is sold, and the 24th of those left is turned over: purple 175, then the last of 23."""
    state, events = led(beside_g4(ADA, GREEN_150, RED_50, green=1), [23])
    assert [type(event) for event in events[-2:]] == [SouvenirSold, SouvenirsTurnedOver]
    assert state.souvenirs == (RED_50, Souvenir("purple", 175))
    assert len(state.unseen) == 22


def test_souvenirs_open__a_card_turned_over_in_a_move_is_not_bought_in_it() -> None:
    """Two green customers, one green card. The next card is green as well, and stays."""
    state = beside_g4(ADA, GREEN_100, RED_50)
    number = 1 + state.unseen.index(GREEN_150)
    state, events = led(state, [number])
    assert [event.dirham for event in events if isinstance(event, SouvenirSold)] == [100]
    assert state.souvenirs == (RED_50, GREEN_150)


def test_souvenirs_open__fewer_when_the_pile_is_used_up() -> None:
    state, events = led(beside_g4(ADA, GREEN_100, RED_50, unseen=()))
    assert isinstance(events[-1], SouvenirSold)
    assert state.souvenirs == (RED_50,)


def test_souvenirs_sale__each_customer_buys_a_card_of_its_color() -> None:
    """Ada's G4 takes 100 + 200 of two customers, and 150 + 100 for souvenirs: 550."""
    state, events = led(beside_g4(ADA, GREEN_100, GREEN_150), [1, 1])
    assert events[1:4] == [
        CustomersEntered("G4", ADA, 8, 2, 300, ADA, 0),
        SouvenirSold("G4", ADA, 150, "green"),
        SouvenirSold("G4", ADA, 100, "green"),
    ]
    assert state.cash == (1550, 1000, 1000)


def test_souvenirs_sale__one_customer_buys_the_dearest() -> None:
    state, _ = led(beside_g4(ADA, GREEN_100, GREEN_150, green=1), [1])
    assert state.cash[ADA] == 1000 + 100 + 150
    assert state.souvenirs[0] == GREEN_100


def test_souvenirs_sale__nobody_buys_another_color() -> None:
    state, events = led(beside_g4(ADA, RED_50, Souvenir("blue", 225)))
    assert not any(isinstance(event, SouvenirSold) for event in events)
    assert state.cash[ADA] == 1300


def test_souvenirs_sale__counts_for_the_commission() -> None:
    """Two pay 300 in Ben's shop, for which Ada would get 50 each. With a souvenir for 100, it takes 400: 100 each."""
    state, _ = led(beside_g4(BEN, GREEN_100, RED_50), [1])
    assert state.cash == (1000 + 200, 1000 + 300 + 100 - 200, 1000)


def test_souvenirs_sale__counts_for_the_commission_of_each_customer_where_that_was_agreed_on() -> None:
    """The first pays 100 and 200 for a souvenir, which is 300: 50. The second pays 200 and 175: 100."""
    state = beside_g4(BEN, Souvenir("green", 200), Souvenir("green", 175))
    state = replace(state, setup=replace(state.setup, commission="customer"))
    state, _ = led(state, [1, 1])
    assert state.cash == (1000 + 150, 1000 + 300 + 375 - 150, 1000)


def test_souvenirs_sale__those_who_waited_beside_a_shop_buy_too() -> None:
    """Ada buys B1 for 100. Two blue ones wait at fountain 3: they pay 300, and 225 for a souvenir."""
    state = playing(Souvenir("blue", 225), RED_50, groups={3: Crowd(blue=2)}, left=1)
    state = bidding(after(state, ADA, PutUp("B1", 100)), (BEN, None))
    sold, events = happened(state, CLEO, PassBid(), [1])
    assert sold.cash[ADA] == 1000 - 100 + 300 + 225
    assert [event for event in events if isinstance(event, SouvenirSold)] == [SouvenirSold("B1", ADA, 225, "blue")]


def test_souvenirs_sale__an_offer_says_what_is_bought() -> None:
    state = beside_g4(BEN, GREEN_100, RED_50)
    [offer] = [
        each
        for each in RULESET.offers(state, ADA)
        if each.command == "MoveGroup" and each.fields["fountain"].options == (14,)  # type: ignore[attr-defined]
    ]
    told = RULESET.texts.tell_offer(state, offer, "en")
    assert "fountain 8 (2 customers for G4, 300 dirham and 100 dirham for souvenirs, 200 dirham of it for you)" in told


def test_souvenirs_sale__what_was_turned_over_cannot_be_taken_back() -> None:
    state = beside_g4(ADA, GREEN_100, RED_50)
    state = replace(state, setup=replace(state.setup, undo="own"))
    moved, _ = led(state, [1])
    assert isinstance(RULESET.decide(moved, ADA, TakeBack(1), ScriptedChance()), Rejection)
    assert refused(moved, ADA, TakeBack(1))[1] == "table/undo"


def test_souvenirs_open__pictures_show_them() -> None:
    assert RULESET.picture is not None
    cards = RULESET.picture(playing(GREEN_100, RED_50), "en").cards
    assert [(card.name, card.rows[0].figures) for card in cards] == [("green", (100,)), ("red", (50,))]
