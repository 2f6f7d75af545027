"""News about the markets: winter, uncertainty, embargo, price freeze."""

import pytest

from mcmulti.domain.core.offers import TextChoice
from mcmulti.domain.mcmulti.commands import BuyBarrels, EndTurn, RollDice, SellBarrels
from mcmulti.domain.mcmulti.components import NewsName
from mcmulti.domain.mcmulti.news.cards import NewsDiscarded
from mcmulti.domain.mcmulti.news.consumer import ConsumerPriceMoved
from mcmulti.domain.mcmulti.news.effects import BarrelsShifted, BarrelsUsedUp
from mcmulti.domain.oil.names import Good, MarketName
from mcmulti.domain.oil.rules.market import Market
from tests.pure.mcmulti.situations import after, events, offered, refused, rolled, situation

CLOSING: list[tuple[NewsName, MarketName, MarketName]] = [
    ("foreign_embargo", "foreign", "domestic"),
    ("domestic_price_freeze", "domestic", "foreign"),
]


# Long cold winter


@pytest.mark.parametrize(("free", "used_up", "left"), [(7, 5, 12), (25, 5, 30), (26, 4, 30), (29, 1, 30)])
def test_news_long_cold_winter__the_five_cheapest_barrels_of_domestic_gasoline_go_fewer_if_there_are_fewer(
    free: int, used_up: int, left: int
) -> None:
    state = situation(likelier="long_cold_winter", domestic=Market(crude=5, gasoline=free))
    assert BarrelsUsedUp("domestic", "gasoline", used_up) in events(state, 0, RollDice(), (1, 1, 1))
    wintry = rolled(state, 1, 1, 1)
    assert wintry.domestic == Market(crude=5, gasoline=left)
    assert wintry.foreign == state.foreign


def test_news_long_cold_winter__an_empty_market_has_nothing_to_use_up() -> None:
    state = situation(likelier="long_cold_winter", domestic=Market(crude=5, gasoline=30))
    assert rolled(state, 1, 1, 1).domestic == Market(crude=5, gasoline=30)


def test_news_long_cold_winter__the_next_barrel_is_dearer_and_sales_bring_more() -> None:
    """Twelve fields are free then: a barrel sells at 2 x 12 = 24 and is bought at 26."""
    state = after(rolled(situation(likelier="long_cold_winter", gasoline=1), 1, 1, 1), 0, EndTurn())
    assert after(state, 1, SellBarrels("domestic", "gasoline", 1)).players[1].cash == 124
    assert after(state, 1, BuyBarrels("domestic", "gasoline", 1)).players[1].cash == 74


# World market uncertainty


@pytest.mark.parametrize(
    ("foreign", "domestic", "shifted"),
    [(5, 5, 5), (27, 20, 3), (8, 2, 2), (29, 1, 1), (25, 30, 5)],
)
def test_news_world_market_uncertainty__cheap_foreign_crude_fills_dear_free_domestic_fields(
    foreign: int, domestic: int, shifted: int
) -> None:
    """Five barrels, or as many as there are abroad and as there are free fields at home."""
    state = situation(
        likelier="world_market_uncertainty",
        foreign=Market(crude=foreign, gasoline=7),
        domestic=Market(crude=domestic, gasoline=9),
    )
    assert BarrelsShifted("foreign", "domestic", "crude", shifted) in events(state, 0, RollDice(), (1, 1, 1))
    uncertain = rolled(state, 1, 1, 1)
    assert uncertain.foreign == Market(crude=foreign + shifted, gasoline=7)
    assert uncertain.domestic == Market(crude=domestic - shifted, gasoline=9)


@pytest.mark.parametrize(("foreign", "domestic"), [(30, 5), (5, 0)])
def test_news_world_market_uncertainty__without_barrels_or_free_fields_no_crude_moves(
    foreign: int, domestic: int
) -> None:
    state = situation(
        likelier="world_market_uncertainty",
        foreign=Market(crude=foreign, gasoline=7),
        domestic=Market(crude=domestic, gasoline=7),
    )
    uncertain = rolled(state, 1, 1, 1)
    assert (uncertain.foreign, uncertain.domestic) == (state.foreign, state.domestic)
    assert uncertain.consumer_price == 11


@pytest.mark.parametrize(
    ("price", "fallen"),
    [(26, 11), (27, 14), (25, 11), (80, 65), (17, 2), (16, 2), (14, 2), (3, 2)],
)
def test_news_world_market_uncertainty__the_consumer_price_falls_five_red_fields_to_the_lowest_at_most(
    price: int, fallen: int
) -> None:
    """Red fields are 2, 5, 8, 11, 14 ... 80, and the current field does not count: 27, 26, 23, 20, 17, 14."""
    state = situation(likelier="world_market_uncertainty", consumer=price, consumer_barrels=3)
    assert ConsumerPriceMoved(price, fallen, 0) in events(state, 0, RollDice(), (1, 1, 1))
    uncertain = rolled(state, 1, 1, 1)
    assert (uncertain.consumer_price, uncertain.consumer_barrels) == (fallen, 3)


@pytest.mark.parametrize("price", [1, 2])
def test_news_world_market_uncertainty__a_price_at_the_lowest_red_field_or_under_it_stays(price: int) -> None:
    state = situation(likelier="world_market_uncertainty", consumer=price)
    assert not any(isinstance(event, ConsumerPriceMoved) for event in events(state, 0, RollDice(), (1, 1, 1)))
    assert rolled(state, 1, 1, 1).consumer_price == price


# Foreign embargo and domestic price freeze


def _close(card: NewsName, code: str) -> None:
    """The market that the card names is closed for both goods, buying and selling. The other one is open."""
    market: MarketName = "foreign" if card == "foreign_embargo" else "domestic"
    other: MarketName = "domestic" if market == "foreign" else "foreign"
    state = after(rolled(situation(likelier=card, crude=1, gasoline=1), 3, 3, 1), 0, EndTurn())
    assert state.news.active == (card,)
    goods: tuple[Good, ...] = ("crude", "gasoline")
    for good in goods:
        for command in (BuyBarrels(market, good, 1), SellBarrels(market, good, 1)):
            rejection = refused(state, 1, command)
            assert (rejection.code, rejection.rule) == (code, f"news/{card.replace('_', '-')}")
    for name in ("BuyBarrels", "SellBarrels"):
        assert {offer.fields["market"] for offer in offered(state, 1, name)} == {TextChoice((other,))}


def test_news_foreign_embargo__the_foreign_market_is_closed() -> None:
    _close("foreign_embargo", "foreign_closed")


def test_news_domestic_price_freeze__the_domestic_market_is_closed() -> None:
    _close("domestic_price_freeze", "domestic_closed")


def test_news_domestic_price_freeze__with_the_embargo_no_market_is_left() -> None:
    state = situation(active=("foreign_embargo", "domestic_price_freeze"), crude=1)
    assert offered(state, 0, "BuyBarrels") == []
    assert offered(state, 0, "SellBarrels") == []
    assert [offer.command for offer in offered(state, 0, "RollDice")] == ["RollDice"]


def _lift(card: NewsName, die: int) -> None:
    """The double discards the card under the pile, and the next player deals on that market."""
    market: MarketName = "foreign" if card == "foreign_embargo" else "domestic"
    state = situation(active=(card,))
    assert NewsDiscarded(card) in events(state, 0, RollDice(), (die, die))
    state = after(rolled(state, die, die), 0, EndTurn())
    assert (state.news.active, state.news.under) == ((), (card,))
    assert after(state, 1, BuyBarrels(market, "crude", 1)).players[1].crude == 1


@pytest.mark.parametrize("die", [2, 4, 5])
def test_news_foreign_embargo__a_later_double_two_four_or_five_opens_the_market(die: int) -> None:
    _lift("foreign_embargo", die)


@pytest.mark.parametrize("die", [2, 4, 5])
def test_news_domestic_price_freeze__a_later_double_two_four_or_five_opens_the_market(die: int) -> None:
    _lift("domestic_price_freeze", die)


def _last(card: NewsName, red: int, black: int) -> None:
    """Other rolls leave the card where it is."""
    other: NewsName = "world_market_uncertainty"
    state = situation(active=(card,), less_likely=other)
    drawn = (1,) if red == black else ()
    state = rolled(state, red, black, *drawn)
    assert state.news.active == (card,)
    market: MarketName = "foreign" if card == "foreign_embargo" else "domestic"
    rejection = refused(after(state, 0, EndTurn()), 1, BuyBarrels(market, "crude", 1))
    assert rejection.code == f"{market}_closed"


@pytest.mark.parametrize(("red", "black"), [(1, 1), (3, 3), (6, 6), (2, 4), (4, 5)])
def test_news_foreign_embargo__other_rolls_do_not_lift_it(red: int, black: int) -> None:
    _last("foreign_embargo", red, black)


@pytest.mark.parametrize(("red", "black"), [(1, 1), (3, 3), (6, 6), (2, 4), (4, 5)])
def test_news_domestic_price_freeze__other_rolls_do_not_lift_it(red: int, black: int) -> None:
    _last("domestic_price_freeze", red, black)
