"""Phase 2: barrels on one of the two markets."""

from msgspec import Struct

from mcmulti.domain.oil.rules.market import Market
from mcmulti.domain.oil.rules.trading import BarrelsBought, BarrelsSold
from mcmulti.domain.postal.refereeing.acting import OrderSkipped
from mcmulti.domain.postal.refereeing.trading import OrderCurtailed
from mcmulti.domain.postal.sheets.sheet import BuyBarrelsOrder, OrderSheet, SellBarrelsOrder, TradeOrder
from mcmulti.domain.postal.shown.view import view
from mcmulti.domain.postal.state import State
from tests.pure.postal.situations import NOTHING, A, B, orders_of, refereed, situation


def done(state: State, *trades: TradeOrder) -> list[Struct]:
    """What these lines of A's do."""
    return orders_of(A, state, OrderSheet(trades=trades))


def test_postal_markets__each_barrel_bought_raises_the_price_by_a_step() -> None:
    """Crude at 6, 7, 8; gasoline at 12, 14."""
    happened = done(situation(), BuyBarrelsOrder("domestic", "crude", 3), BuyBarrelsOrder("domestic", "gasoline", 2))
    assert happened == [
        BarrelsBought(A, "domestic", "crude", (6, 7, 8)),
        BarrelsBought(A, "domestic", "gasoline", (12, 14)),
    ]


def test_postal_markets__each_barrel_sold_lowers_it() -> None:
    """Crude at 5, 4; gasoline at 10, 8, 6."""
    state = situation(crude=9, gasoline=9)
    happened = done(state, SellBarrelsOrder("foreign", "crude", 2), SellBarrelsOrder("foreign", "gasoline", 3))
    assert happened == [
        BarrelsSold(A, "foreign", "crude", (5, 4)),
        BarrelsSold(A, "foreign", "gasoline", (10, 8, 6)),
    ]


def test_postal_markets__after_a_sale_at_the_lowest_price_the_next_is_refused() -> None:
    """Five fields are free: crude is sold for 5, 4, 3, 2, and 1, and then no more."""
    state = situation(crude=9)
    sell = SellBarrelsOrder("domestic", "crude", "max")
    assert done(state, sell, sell) == [
        BarrelsSold(A, "domestic", "crude", (5, 4, 3, 2, 1)),
        OrderSkipped(A, 2, "market_full", 0, 1),
    ]


def test_postal_markets__after_a_purchase_at_the_highest_price_there_is_none_left() -> None:
    """24 fields of 26 are free: crude costs 25 and 26, gasoline 50 and 52."""
    state = situation(cash=500, domestic=Market(24, 24))
    crude, gasoline = BuyBarrelsOrder("domestic", "crude", "max"), BuyBarrelsOrder("domestic", "gasoline", "max")
    assert done(state, crude, crude, gasoline, gasoline) == [
        BarrelsBought(A, "domestic", "crude", (25, 26)),
        OrderSkipped(A, 2, "market_empty", 0, 1),
        BarrelsBought(A, "domestic", "gasoline", (50, 52)),
        OrderSkipped(A, 4, "market_empty", 0, 1),
    ]


def test_postal_markets__deals_of_the_round_count_for_the_next_player() -> None:
    """A buys crude at 6 and 7, so B pays 8."""
    sheets = dict.fromkeys(range(4), NOTHING) | {
        A: OrderSheet(trades=(BuyBarrelsOrder("domestic", "crude", 2),)),
        B: OrderSheet(trades=(BuyBarrelsOrder("domestic", "crude", 1),)),
    }
    happened, state = refereed(situation(), sheets)
    assert BarrelsBought(B, "domestic", "crude", (8,)) in happened
    domestic = view(state, None).markets[0]
    assert (domestic.buy, domestic.sell, domestic.barrels) == (9, 8, 18)


def test_postal_phase_2__one_market_only() -> None:
    state = situation(crude=9)
    happened = done(
        state,
        SellBarrelsOrder("foreign", "crude", 1),
        BuyBarrelsOrder("domestic", "gasoline", 1),
        BuyBarrelsOrder("foreign", "gasoline", 1),
    )
    assert happened == [
        BarrelsSold(A, "foreign", "crude", (5,)),
        OrderSkipped(A, 2, "other_market", None, None),
        BarrelsBought(A, "foreign", "gasoline", (12,)),
    ]


def test_postal_phase_2__a_line_that_is_skipped_binds_to_no_market() -> None:
    happened = done(situation(), SellBarrelsOrder("foreign", "crude", 1), BuyBarrelsOrder("domestic", "crude", 1))
    assert happened == [OrderSkipped(A, 1, "barrels", 0, 1), BarrelsBought(A, "domestic", "crude", (6,))]


def test_postal_phase_2__another_turn_may_deal_on_the_other_market() -> None:
    sheets = dict.fromkeys(range(4), NOTHING) | {
        A: OrderSheet(trades=(BuyBarrelsOrder("domestic", "crude", 1),)),
        B: OrderSheet(trades=(BuyBarrelsOrder("foreign", "crude", 1),)),
    }
    happened, _ = refereed(situation(), sheets)
    assert [event.market for event in happened if isinstance(event, BarrelsBought)] == ["domestic", "foreign"]


def test_postal_phase_2__cash_only() -> None:
    """20 pays for 6 + 7 = 13; with 8 more it would be 21."""
    happened = done(situation(cash=20), BuyBarrelsOrder("domestic", "crude", "max"))
    assert happened == [BarrelsBought(A, "domestic", "crude", (6, 7))]
    assert done(situation(cash=5), BuyBarrelsOrder("domestic", "crude", 1)) == [OrderSkipped(A, 1, "cash", 5, 6)]


def test_postal_sheet__a_number_is_carried_out_as_far_as_it_goes() -> None:
    """Of 4 to buy, 20 pays for 2. Of 5 to sell, 3 are there."""
    assert done(situation(cash=20), BuyBarrelsOrder("domestic", "crude", 4)) == [
        BarrelsBought(A, "domestic", "crude", (6, 7)),
        OrderCurtailed(A, 1, 4, 2, "cash"),
    ]
    assert done(situation(crude=3), SellBarrelsOrder("domestic", "crude", 5)) == [
        BarrelsSold(A, "domestic", "crude", (5, 4, 3)),
        OrderCurtailed(A, 1, 5, 3, "barrels"),
    ]


def test_postal_sheet__prices_have_their_bounds() -> None:
    """Not above 8: crude at 6, 7, 8. Not below 4: at 5 and 4."""
    assert done(situation(), BuyBarrelsOrder("domestic", "crude", "max", not_above=8)) == [
        BarrelsBought(A, "domestic", "crude", (6, 7, 8))
    ]
    assert done(situation(crude=9), SellBarrelsOrder("domestic", "crude", 3, not_below=4)) == [
        BarrelsSold(A, "domestic", "crude", (5, 4)),
        OrderCurtailed(A, 1, 3, 2, "price_below"),
    ]
    assert done(situation(), BuyBarrelsOrder("domestic", "crude", "max", not_above=5)) == [
        OrderSkipped(A, 1, "price_above", 6, 5)
    ]
    assert done(situation(crude=9), SellBarrelsOrder("domestic", "crude", 3, not_below=6)) == [
        OrderSkipped(A, 1, "price_below", 5, 6)
    ]


def test_postal_sheet__all_but_two_barrels_are_sold() -> None:
    """Of five, three are sold, at 5, 4, and 3. Of two, none is."""
    sale = SellBarrelsOrder("domestic", "crude", "max", keep=2)
    assert done(situation(crude=5), sale) == [BarrelsSold(A, "domestic", "crude", (5, 4, 3))]
    assert done(situation(crude=2), sale) == [OrderSkipped(A, 1, "keep_barrels", 2, 3)]
    assert done(situation(crude=1), sale) == [OrderSkipped(A, 1, "keep_barrels", 1, 3)]
    assert done(situation(), sale) == [OrderSkipped(A, 1, "barrels", 0, 1)]


def test_postal_sheet__a_number_is_curtailed_by_what_is_kept() -> None:
    happened = done(situation(crude=5), SellBarrelsOrder("domestic", "crude", 4, keep=3))
    assert happened == [
        BarrelsSold(A, "domestic", "crude", (5, 4)),
        OrderCurtailed(A, 1, 4, 2, "keep_barrels"),
    ]


def test_postal_sheet__cash_is_kept_when_barrels_are_bought() -> None:
    """70 in cash, 50 to keep: crude at 6 and 7 leaves 57, a third at 8 would leave 49."""
    happened = done(situation(cash=70), BuyBarrelsOrder("domestic", "crude", "max", keep=50))
    assert happened == [BarrelsBought(A, "domestic", "crude", (6, 7))]
    happened = done(situation(cash=70), BuyBarrelsOrder("domestic", "crude", 3, keep=50))
    assert happened[1] == OrderCurtailed(A, 1, 3, 2, "keep_cash")
    assert done(situation(cash=55), BuyBarrelsOrder("domestic", "crude", 3, keep=50)) == [
        OrderSkipped(A, 1, "keep_cash", 55, 56)
    ]
    assert done(situation(cash=5), BuyBarrelsOrder("domestic", "crude", 3, keep=50)) == [
        OrderSkipped(A, 1, "cash", 5, 6)
    ]
