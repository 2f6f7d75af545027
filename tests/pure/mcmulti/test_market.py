"""Phase 1: the two markets."""

import pytest

from mcmulti.domain.core.offers import Offer, Range, TextChoice
from mcmulti.domain.mcmulti.commands import BuyBarrels, EndTurn, RollDice, SellBarrels
from mcmulti.domain.mcmulti.components import NewsName
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.oil.names import Good, MarketName
from mcmulti.domain.oil.rules.market import Market
from mcmulti.domain.oil.rules.trading import BarrelsBought, BarrelsSold
from tests.pure.mcmulti.situations import (
    after,
    assets_phase,
    events,
    offered,
    refused,
    rolled,
    rules,
    situation,
    started,
)

MARKETS: tuple[MarketName, ...] = ("domestic", "foreign")


def stock(state: State, seat: int = 0) -> tuple[int, int, int]:
    """Cash, crude, gasoline."""
    player = state.players[seat]
    return player.cash, player.crude, player.gasoline


def test_market_start__five_crude_fields_and_seven_gasoline_fields_are_free_on_both() -> None:
    state = started()
    assert state.domestic == state.foreign == Market(crude=5, gasoline=7)


@pytest.mark.parametrize("market", MARKETS)
@pytest.mark.parametrize(("good", "sale", "purchase"), [("crude", 5, 6), ("gasoline", 14, 16)])
def test_market_start__crude_sells_at_5_and_costs_6_gasoline_sells_at_14_and_costs_16(
    market: MarketName, good: Good, sale: int, purchase: int
) -> None:
    state = situation(crude=1, gasoline=1)
    assert events(state, 0, SellBarrels(market, good, 1)) == [BarrelsSold(0, market, good, (sale,))]
    assert events(state, 0, BuyBarrels(market, good, 1)) == [BarrelsBought(0, market, good, (purchase,))]


def test_market_buy__two_barrels_of_gasoline_with_the_cheapest_at_6_cost_14() -> None:
    """The rulebook's example: the cheapest barrel stands on 6, so two cost 6 + 8 = 14."""
    state = situation(cash=100, domestic=Market(crude=5, gasoline=2))
    command = BuyBarrels("domestic", "gasoline", 2)
    assert events(state, 0, command) == [BarrelsBought(0, "domestic", "gasoline", (6, 8))]
    bought = after(state, 0, command)
    assert stock(bought) == (86, 0, 2)
    assert bought.domestic == Market(crude=5, gasoline=4)
    assert bought.foreign == Market(crude=5, gasoline=7)


@pytest.mark.parametrize(
    ("good", "barrels", "sum_of_prices"),
    [
        pytest.param("crude", 25, 450, id="6 + 7 + ... + 30 = 25 * 18"),
        pytest.param("gasoline", 23, 874, id="16 + 18 + ... + 60 = 23 * 38"),
    ],
)
@pytest.mark.parametrize("market", MARKETS)
def test_market_buy__a_market_can_be_bought_empty(
    market: MarketName, good: Good, barrels: int, sum_of_prices: int
) -> None:
    state = situation(cash=1000)
    bought = after(state, 0, BuyBarrels(market, good, barrels))
    assert bought.players[0].cash == 1000 - sum_of_prices
    assert bought.market(market).free(good) == 30
    beyond = refused(state, 0, BuyBarrels(market, good, barrels + 1))
    assert (beyond.code, beyond.rule, beyond.field, beyond.limit) == ("market_empty", "market/buy", "quantity", barrels)


@pytest.mark.parametrize(("good", "price"), [("crude", 30), ("gasoline", 60)])
def test_market_buy__the_dearest_barrel_is_the_last(good: Good, price: int) -> None:
    state = situation(foreign=Market(crude=29, gasoline=29))
    assert events(state, 0, BuyBarrels("foreign", good, 1)) == [BarrelsBought(0, "foreign", good, (price,))]


def test_market_buy__an_empty_market_sells_nothing() -> None:
    rejection = refused(situation(domestic=Market(crude=30, gasoline=7)), 0, BuyBarrels("domestic", "crude", 1))
    assert (rejection.code, rejection.rule, rejection.limit) == ("market_empty", "market/buy", 0)


@pytest.mark.parametrize(("cash", "affordable"), [(5, 0), (6, 1), (12, 1), (13, 2), (20, 2), (21, 3)])
def test_market_buy__no_more_barrels_than_the_cash_pays_for(cash: int, affordable: int) -> None:
    """Crude at 6, 7, 8: one barrel needs 6, two 13, three 21."""
    state = situation(cash=cash)
    rejection = refused(state, 0, BuyBarrels("domestic", "crude", affordable + 1))
    assert (rejection.code, rejection.rule, rejection.limit) == ("cash", "purchase/cash-only", affordable)
    if affordable:
        assert after(state, 0, BuyBarrels("domestic", "crude", affordable)).players[0].crude == affordable


def test_market_buy__the_offer_says_how_many_barrels_at_which_prices() -> None:
    """13 buys the barrels at 6 and 7. It is too little for gasoline at 16."""
    assert offered(situation(cash=13), 0, "BuyBarrels")[0] == Offer(
        command="BuyBarrels",
        rule="market/buy",
        fields={
            "market": TextChoice(("domestic",)),
            "good": TextChoice(("crude",)),
            "quantity": Range(1, 2, "cash", prices=(6, 7)),
        },
    )
    assert {offer.fields["good"] for offer in offered(situation(cash=13), 0, "BuyBarrels")} == {TextChoice(("crude",))}


def test_market_sell__the_offer_says_how_many_barrels_at_which_prices() -> None:
    assert offered(situation(gasoline=2), 0, "SellBarrels")[1] == Offer(
        command="SellBarrels",
        rule="market/sell",
        fields={
            "market": TextChoice(("foreign",)),
            "good": TextChoice(("gasoline",)),
            "quantity": Range(1, 2, "barrels", prices=(14, 12)),
        },
    )


def test_market_sell__deals_name_their_rule() -> None:
    state = situation(crude=1)
    assert rules(state, 0, BuyBarrels("domestic", "crude", 1)) == ["market/buy"]
    assert rules(state, 0, SellBarrels("domestic", "crude", 1)) == ["market/sell"]
    assert [offer.rule for offer in offered(state, 0, "RollDice")] == ["dice/production-roll"]


def test_market_sell__each_barrel_goes_on_the_dearest_free_field() -> None:
    """Crude fields 1 to 5 are free at the start, so three barrels bring 5 + 4 + 3 = 12."""
    state = situation(cash=0, crude=4)
    command = SellBarrels("foreign", "crude", 3)
    assert events(state, 0, command) == [BarrelsSold(0, "foreign", "crude", (5, 4, 3))]
    sold = after(state, 0, command)
    assert stock(sold) == (12, 1, 0)
    assert sold.foreign == Market(crude=2, gasoline=7)
    assert sold.domestic == Market(crude=5, gasoline=7)


@pytest.mark.parametrize(
    ("good", "barrels", "sum_of_prices"),
    [
        pytest.param("crude", 5, 15, id="5 + 4 + 3 + 2 + 1"),
        pytest.param("gasoline", 7, 56, id="14 + 12 + 10 + 8 + 6 + 4 + 2"),
    ],
)
@pytest.mark.parametrize("market", MARKETS)
def test_market_sell__a_market_can_be_filled(market: MarketName, good: Good, barrels: int, sum_of_prices: int) -> None:
    state = situation(cash=0, crude=9, gasoline=9)
    filled = after(state, 0, SellBarrels(market, good, barrels))
    assert filled.players[0].cash == sum_of_prices
    assert filled.market(market).free(good) == 0
    beyond = refused(state, 0, SellBarrels(market, good, barrels + 1))
    assert (beyond.code, beyond.rule, beyond.field, beyond.limit) == ("market_full", "market/sell", "quantity", barrels)


def test_market_sell__a_full_market_takes_nothing() -> None:
    state = situation(crude=1, domestic=Market(crude=0, gasoline=7))
    rejection = refused(state, 0, SellBarrels("domestic", "crude", 1))
    assert (rejection.code, rejection.rule, rejection.limit) == ("market_full", "market/sell", 0)


@pytest.mark.parametrize("owned", [0, 1, 3])
def test_market_sell__no_more_barrels_than_one_has(owned: int) -> None:
    rejection = refused(situation(gasoline=owned), 0, SellBarrels("foreign", "gasoline", owned + 1))
    assert (rejection.code, rejection.rule, rejection.limit) == ("barrels", "market/sell", owned)


@pytest.mark.parametrize("quantity", [0, -1])
def test_market_sell__less_than_one_barrel_is_not_dealt_in(quantity: int) -> None:
    state = situation(crude=3)
    selling = refused(state, 0, SellBarrels("domestic", "crude", quantity))
    buying = refused(state, 0, BuyBarrels("domestic", "crude", quantity))
    assert (selling.code, selling.rule, selling.limit) == ("out_of_range", "market/sell", 3)
    assert (buying.code, buying.rule) == ("out_of_range", "market/buy")


def test_market_one_per_turn__both_goods_in_any_order_and_as_often_as_one_likes() -> None:
    """Gasoline at 14 and 12 in, crude at 6 and 7 out, one of the crude barrels back at 7: 26 - 13 + 7 = 20."""
    state = situation(cash=0, gasoline=2)
    for command in (
        SellBarrels("domestic", "gasoline", 2),
        BuyBarrels("domestic", "crude", 1),
        BuyBarrels("domestic", "crude", 1),
        SellBarrels("domestic", "crude", 1),
    ):
        state = after(state, 0, command)
    assert stock(state) == (20, 1, 0)
    assert state.domestic == Market(crude=6, gasoline=5)


@pytest.mark.parametrize(("chosen", "other"), [("domestic", "foreign"), ("foreign", "domestic")])
@pytest.mark.parametrize("deal", [BuyBarrels, SellBarrels])
def test_market_one_per_turn__the_second_market_is_refused(
    deal: type[BuyBarrels | SellBarrels], chosen: MarketName, other: MarketName
) -> None:
    state = after(situation(crude=3, gasoline=3), 0, deal(chosen, "crude", 1))
    for command in (BuyBarrels(other, "gasoline", 1), SellBarrels(other, "gasoline", 1)):
        rejection = refused(state, 0, command)
        assert (rejection.code, rejection.rule) == ("other_market", "market/one-per-turn")
    for name in ("BuyBarrels", "SellBarrels"):
        assert {offer.fields["market"] for offer in offered(state, 0, name)} == {TextChoice((chosen,))}


def test_market_one_per_turn__the_next_player_chooses_afresh() -> None:
    state = rolled(after(situation(), 0, BuyBarrels("domestic", "crude", 1)), 1, 2)
    state = after(state, 0, EndTurn())
    assert after(state, 1, BuyBarrels("foreign", "crude", 1)).players[1].crude == 1


def test_market_one_per_turn__dealing_is_optional_and_ends_with_the_dice() -> None:
    state = after(situation(crude=1), 0, RollDice(), (1, 2))
    assert stock(state) == (100, 1, 0)
    rejection = refused(state, 0, SellBarrels("domestic", "crude", 1))
    assert (rejection.code, rejection.rule) == ("out_of_phase", "turn/phases")


@pytest.mark.parametrize(
    ("card", "closed", "open_", "code", "rule"),
    [
        ("foreign_embargo", "foreign", "domestic", "foreign_closed", "news/foreign-embargo"),
        ("domestic_price_freeze", "domestic", "foreign", "domestic_closed", "news/domestic-price-freeze"),
    ],
)
def test_market_one_per_turn__only_the_other_one_when_news_closed_a_market(
    card: NewsName, closed: MarketName, open_: MarketName, code: str, rule: str
) -> None:
    state = situation(crude=1, active=(card,))
    for command in (BuyBarrels(closed, "crude", 1), SellBarrels(closed, "crude", 1)):
        rejection = refused(state, 0, command)
        assert (rejection.code, rejection.rule) == (code, rule)
    assert stock(after(state, 0, SellBarrels(open_, "crude", 1))) == (105, 0, 0)


def test_market_one_per_turn__nobody_deals_in_another_players_turn_or_in_the_asset_phase() -> None:
    command = BuyBarrels("domestic", "crude", 1)
    assert refused(situation(), 1, command).code == "out_of_turn"
    assert refused(assets_phase(situation()), 0, command).code == "out_of_phase"
