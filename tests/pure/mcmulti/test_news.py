"""Doubles: which news happens, and which card comes next."""

import pytest
from msgspec import Struct
from msgspec.structs import replace

from mcmulti.domain.core.chance import Draw
from mcmulti.domain.core.offers import Range
from mcmulti.domain.mcmulti.commands import PumpCrude, RollDice
from mcmulti.domain.mcmulti.components import NewsName
from mcmulti.domain.mcmulti.news.cards import NewsDiscarded, NewsMovedUp, NewsTriggered, NewsTurnedOver
from mcmulti.domain.mcmulti.news.consumer import ConsumerPriceMoved
from mcmulti.domain.mcmulti.news.effects import BarrelsShifted, BarrelsUsedUp
from mcmulti.domain.mcmulti.phases.assets import AssetPhaseBegan
from mcmulti.domain.mcmulti.phases.dice import DiceRolled, DifferenceAdvanced
from mcmulti.domain.mcmulti.phases.production import OperationBegan
from mcmulti.domain.mcmulti.state import News, State
from mcmulti.domain.mcmulti.view import view
from tests.pure.mcmulti.situations import ALL_NEWS, after, events, offered, refused, rolled, situation


def _happened(state: State, red: int, black: int, *more: int) -> list[Struct]:
    return events(state, 0, RollDice(), (red, black, *more))


def _with_pile(state: State, pile: tuple[NewsName, ...], under: tuple[NewsName, ...]) -> State:
    return replace(state, news=replace(state.news, pile=pile, under=under))


# Which news


@pytest.mark.parametrize("die", [1, 3])
def test_news_double__double_one_and_double_three_make_the_likelier_news_happen(die: int) -> None:
    happened = _happened(situation(likelier="long_cold_winter"), die, die, 1)
    assert [event for event in happened if isinstance(event, NewsTriggered)] == [NewsTriggered("long_cold_winter")]


def test_news_double__double_six_makes_the_less_likely_news_happen() -> None:
    happened = _happened(situation(less_likely="world_market_uncertainty"), 6, 6, 1)
    triggered = [event for event in happened if isinstance(event, NewsTriggered)]
    assert triggered == [NewsTriggered("world_market_uncertainty")]


@pytest.mark.parametrize("die", [2, 4, 5])
def test_news_double__double_two_four_and_five_bring_no_news(die: int) -> None:
    state = situation()
    assert rolled(state, die, die).news == state.news


@pytest.mark.parametrize(("red", "black"), [(1, 3), (3, 1), (6, 1), (2, 4)])
def test_news_double__without_a_double_the_news_rests(red: int, black: int) -> None:
    state = situation(active=("foreign_embargo",))
    assert rolled(state, red, black).news == state.news


@pytest.mark.parametrize("die", [2, 4, 5])
def test_news_double__double_two_four_and_five_discard_embargo_and_freeze_together(die: int) -> None:
    state = situation(active=("foreign_embargo", "domestic_price_freeze"))
    after_it = rolled(state, die, die).news
    assert after_it.active == ()
    assert after_it.under == ("foreign_embargo", "domestic_price_freeze")


@pytest.mark.parametrize("die", [1, 3, 6])
def test_news_double__the_doubles_that_bring_news_discard_no_earlier_card(die: int) -> None:
    state = situation(less_likely="world_market_uncertainty", active=("foreign_embargo", "domestic_price_freeze"))
    assert rolled(state, die, die, 1).news.active == ("foreign_embargo", "domestic_price_freeze")


def test_news_double__news_comes_before_the_difference_and_production() -> None:
    """The whole dice phase in order. The double 3 crosses on the well, which then has production."""
    happened = _happened(situation(assets={0: "well 3-3"}), 3, 3, 1)
    assert [type(event) for event in happened] == [
        DiceRolled,
        NewsTriggered,
        BarrelsUsedUp,
        NewsDiscarded,
        NewsMovedUp,
        NewsTurnedOver,
        DifferenceAdvanced,
        OperationBegan,
    ]


def test_news_double__stations_sell_at_the_price_that_the_news_left() -> None:
    """26 falls five red fields, 23, 20, 17, 14, 11. The doubly productive station sells at 10 and 9."""
    state = rolled(
        situation(likelier="world_market_uncertainty", assets={0: "station 1-1"}, gasoline={0: 2}),
        1,
        1,
        1,
    )
    (offer,) = offered(state, 0, "SellGasoline")
    assert offer.fields["quantity"] == Range(1, 2, "hits", prices=(10, 9))


def test_news_double__production_waits_until_the_last_debt_is_paid() -> None:
    """The inspection takes 3 from player 1 for a barrel. Player 0 may pump only when player 1 has raised it."""
    state = situation(
        likelier="snap_inspection",
        less_likely="long_cold_winter",
        assets={0: "well 1-1", 1: "rig 6-6"},
        crude={1: 1},
        cash=0,
    )
    waiting = rolled(state, 1, 1)
    assert waiting.phase == "news"
    rejection = refused(waiting, 0, PumpCrude(4))
    assert (rejection.code, rejection.rule) == ("out_of_turn", "turn/phases")


def test_news_double__a_double_does_not_move_the_difference() -> None:
    happened = _happened(situation(difference=7), 1, 1, 1)
    assert DifferenceAdvanced(0, 7) in happened


# The next card


def test_news_next_card__the_less_likely_card_moves_up_when_the_likelier_happened() -> None:
    """Draws 1 to 4 were two cards of the set-up and the two dice: the fifth chooses among six cards of the pile."""
    happened = _happened(situation(likelier="long_cold_winter", less_likely="snap_inspection"), 1, 1, 2)
    assert happened[1:] == [
        NewsTriggered("long_cold_winter"),
        BarrelsUsedUp("domestic", "gasoline", 5),
        NewsDiscarded("long_cold_winter"),
        NewsMovedUp("snap_inspection"),
        NewsTurnedOver("global_warming_threat", "less_likely", Draw(5, 6, 2)),
        DifferenceAdvanced(0, 0),
        AssetPhaseBegan(0, 0),
    ]


def test_news_next_card__the_likelier_card_stays_when_the_less_likely_happened() -> None:
    happened = _happened(situation(likelier="long_cold_winter", less_likely="world_market_uncertainty"), 6, 6, 6)
    assert happened[1:] == [
        NewsTriggered("world_market_uncertainty"),
        BarrelsShifted("foreign", "domestic", "crude", 5),
        ConsumerPriceMoved(26, 11, 0),
        NewsDiscarded("world_market_uncertainty"),
        NewsTurnedOver("domestic_price_freeze", "less_likely", Draw(5, 6, 6)),
        DifferenceAdvanced(0, 0),
        AssetPhaseBegan(0, 0),
    ]


def test_news_next_card__a_card_that_is_done_goes_under_the_pile() -> None:
    state = rolled(_with_pile(situation(), ("state_sales_tax",), ("foreign_embargo",)), 1, 1, 1)
    assert state.news == News(
        likelier="snap_inspection",
        less_likely="state_sales_tax",
        pile=(),
        under=("foreign_embargo", "long_cold_winter"),
    )


def test_news_next_card__a_lasting_card_stays_beside_the_board() -> None:
    news = rolled(situation(likelier="foreign_embargo"), 1, 1, 1).news
    assert news.active == ("foreign_embargo",)
    assert news.under == ()


def test_news_next_card__cards_under_the_pile_come_back_in_their_order_and_without_a_draw() -> None:
    state = _with_pile(situation(), (), ("foreign_embargo", "state_sales_tax"))
    happened = _happened(state, 1, 1)
    assert NewsTurnedOver("foreign_embargo", "less_likely", None) in happened
    again = rolled(state, 1, 1).news
    assert again.under == ("state_sales_tax", "long_cold_winter")


def test_news_next_card__what_lies_under_the_pile_waits_for_the_last_card_above_it() -> None:
    """If one card is left in the pile, it is that one, whatever lies underneath."""
    state = _with_pile(situation(), ("state_sales_tax",), ("foreign_embargo",))
    assert NewsTurnedOver("state_sales_tax", "less_likely", Draw(5, 1, 1)) in _happened(state, 1, 1, 1)


def test_news_next_card__the_card_just_done_may_be_turned_over_when_nothing_lies_above_it() -> None:
    state = _with_pile(situation(), (), ())
    assert rolled(state, 1, 1).news == News(likelier="snap_inspection", less_likely="long_cold_winter")


def test_news_next_card__no_card_is_ever_lost_or_doubled() -> None:
    """Forty pieces of news, alternately likelier and less likely: two cards are open, and all eight are somewhere."""
    state = situation()
    seen: set[NewsName] = set()
    for number in range(40):
        die = 6 if number % 3 else 1
        last = () if not state.news.pile else (len(state.news.pile),)
        state = rolled(state, die, die, *last)
        news = state.news
        assert news.likelier is not None
        assert news.less_likely is not None
        assert sorted((news.likelier, news.less_likely, *news.pile, *news.under, *news.active)) == sorted(ALL_NEWS)
        seen.update((news.likelier, news.less_likely, *news.active))
        state = replace(state, phase="market")
        state = replace(after(state, 0, RollDice(), (2, 2)), phase="market")
    assert seen == set(ALL_NEWS)


def test_news_next_card__the_next_card_comes_when_the_debts_are_paid() -> None:
    state = situation(
        likelier="snap_inspection", less_likely="long_cold_winter", cash=0, crude={2: 1}, assets={2: "rig 1-1"}
    )
    waiting = rolled(state, 1, 1)
    assert waiting.news.likelier is None
    assert waiting.news.less_likely == "long_cold_winter"


def test_news_next_card__players_see_how_many_cards_the_pile_has_and_not_which() -> None:
    seen = view(_with_pile(situation(), ("state_sales_tax", "foreign_embargo"), ("debt_reduction_tax",)), 0).news
    assert seen.pile == 3
    assert (seen.likelier, seen.less_likely, seen.active) == ("long_cold_winter", "snap_inspection", ())
