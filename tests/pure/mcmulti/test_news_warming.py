"""News: the global warming threat, from the day it comes until no refinery is idle."""

import pytest
from msgspec.structs import replace

from mcmulti.domain.core.offers import TextChoice
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import BuyAsset, CleanUp, EndCleanUp, EndTurn, RefineCrude, RollDice, SellAsset
from mcmulti.domain.mcmulti.components import CARDS, ECONOMY, NewsName
from mcmulti.domain.mcmulti.flow import DEFAULTS
from mcmulti.domain.mcmulti.news.cards import NewsDiscarded, NewsTurnedOver
from mcmulti.domain.mcmulti.news.warming import CleanUpOrdered, CleanUpPaid, CleanUpsEnded, IdleRefinerySold
from mcmulti.domain.mcmulti.phases.assets import AssetSold
from mcmulti.domain.mcmulti.phases.operations import CrudeRefined
from mcmulti.domain.mcmulti.state import News, State
from mcmulti.domain.oil.names import SiteChoice
from tests.pure.mcmulti.situations import after, assets_phase, events, offered, placed, refused, rolled, site, situation

WARMING: NewsName = "global_warming_threat"


def _idle(state: State, quadrant: int) -> int:
    return state.quadrants[quadrant].idle.bit_count()


def _threatened(players: int = 4, **arrangement: object) -> State:
    """The asset phase of quadrant 0 after a roll of red 1, black 2, with the card in force. Idle: see `idle`."""
    return assets_phase(situation(players, active=(WARMING,), **arrangement), red=1, black=2)  # type: ignore[arg-type]


# When it comes


def test_news_global_warming_threat__every_refinery_stands_idle_and_owners_are_asked_in_turn_order() -> None:
    """Player 2, who owns none, is to move. Then come 3, 0, and 1."""
    state = situation(
        quadrant=2,
        likelier=WARMING,
        assets={0: "refinery 1-1, refinery 5-5", 1: "refinery 3-3", 3: "refinery 2-2, rig 6-6"},
    )
    sites = (site("1-1", 0), site("5-5", 0), site("3-3", 1), site("2-2", 3))
    assert CleanUpOrdered(sites, (3, 0, 1)) in events(state, 2, RollDice(), (1, 1))
    state = rolled(state, 1, 1)
    assert [_idle(state, quadrant) for quadrant in range(4)] == [2, 1, 0, 1]
    asked: list[int] = []
    for drawn in ((), (), (1,)):
        asked += RULESET.to_move(state)
        state = after(state, RULESET.to_move(state)[0], EndCleanUp(), drawn)
    assert asked == [3, 0, 1]
    assert state.phase == "assets"


def test_news_global_warming_threat__a_clean_up_costs_25_and_the_owner_pays_for_as_many_as_it_wants() -> None:
    state = rolled(situation(likelier=WARMING, assets={0: "refinery 1-1, refinery 5-5"}), 3, 3)
    assert events(state, 0, CleanUp(site("5-5"))) == [CleanUpPaid(0, site("5-5"), 25)]
    state = after(state, 0, CleanUp(site("5-5")))
    assert state.players[0].cash == 75
    state = after(state, 0, EndCleanUp(), (1,))
    assert _idle(state, 0) == 1
    assert state.players[0].cash == 75


def test_news_global_warming_threat__the_owner_pays_for_as_many_as_it_can() -> None:
    """With 49, one is paid for. 24 are left, not enough for another, so the owner is not asked again."""
    state = rolled(situation(likelier=WARMING, cash=49, assets={0: "refinery 1-1, refinery 5-5"}), 1, 1)
    happened = events(state, 0, CleanUp(site("1-1")), (1,))
    assert happened[:2] == [CleanUpPaid(0, site("1-1"), 25), CleanUpsEnded(0)]


@pytest.mark.parametrize(("cash", "asked"), [(24, ()), (25, (0,))])
def test_news_global_warming_threat__only_who_has_25_is_asked(cash: int, asked: tuple[int, ...]) -> None:
    drawn = () if asked else (1,)
    state = rolled(situation(likelier=WARMING, cash=cash, assets={0: "refinery 5-5"}), 1, 1, *drawn)
    assert (RULESET.to_move(state) if state.phase == "news" else ()) == asked
    assert _idle(state, 0) == 1


def test_news_global_warming_threat__no_refinery_may_be_sold_when_it_comes() -> None:
    state = rolled(situation(likelier=WARMING, assets={0: "refinery 1-1"}), 1, 1)
    assert offered(state, 0, "SellAsset") == []
    rejection = refused(state, 0, SellAsset("refinery", site("1-1")))
    assert (rejection.code, rejection.rule) == ("out_of_phase", "turn/phases")


def test_news_global_warming_threat__nobody_cleans_up_before_its_turn_to_pay_or_for_another() -> None:
    state = rolled(situation(likelier=WARMING, assets={0: "refinery 1-1", 1: "refinery 1-1"}), 1, 1)
    early = refused(state, 1, CleanUp(site("1-1", 1)))
    assert (early.code, early.rule) == ("out_of_turn", "turn/phases")
    foreign = refused(state, 0, CleanUp(site("1-1", 1)))
    assert (foreign.code, foreign.rule) == ("not_idle", "news/global-warming-threat")


def test_news_global_warming_threat__on_the_ghosts_turn_its_left_neighbor_is_asked_first() -> None:
    state = assets_phase(
        situation(3, quadrant=2, likelier=WARMING, assets={2: "refinery 1-1", 0: "refinery 1-1"}), 2, 5
    )
    waiting = after(state, 2, EndTurn(), (3, 3))
    assert RULESET.to_move(waiting) == (0,)
    assert RULESET.to_move(after(waiting, 0, EndCleanUp())) == (2,)


def test_news_global_warming_threat__with_two_players_each_is_asked_once_for_both_quadrants() -> None:
    state = rolled(situation(2, likelier=WARMING, assets={0: "refinery 1-1", 2: "refinery 5-5"}), 1, 1)
    state = after(state, 0, CleanUp(site("5-5", 2)))
    assert offered(state, 0, "CleanUp")[0].fields == {"site": SiteChoice((site("1-1", 0),), "not_idle")}
    assert after(state, 0, EndCleanUp(), (1,)).phase == "assets"


# What idle refineries cannot do


def test_news_global_warming_threat__an_idle_refinery_cannot_refine_and_a_clean_one_can() -> None:
    """The double 3 crosses on both.

    The one that was paid for refines two barrels (twice productive), the other none.
    """
    state = rolled(situation(likelier=WARMING, crude=4, assets={0: "refinery 3-3, refinery 2-5"}), 3, 3)
    state = after(state, 0, CleanUp(site("3-3")))
    state = after(state, 0, EndCleanUp(), (1,))
    rejection = refused(state, 0, RefineCrude(3))
    assert (rejection.code, rejection.rule, rejection.limit) == ("idle", "news/global-warming-threat", 2)
    assert CrudeRefined(0, 2) in events(state, 0, RefineCrude(2))


@pytest.mark.parametrize("quadrant", [0, 1, 3])
def test_news_global_warming_threat__idle_refineries_refine_neither_in_the_owners_turn_nor_in_a_neighbors(
    quadrant: int,
) -> None:
    """The double 2 hits the refinery wherever it is: quadrant 0 to move, 1 by row, 3 by column."""
    place = {quadrant: "refinery 1-1"}
    state = rolled(situation(active=(WARMING,), crude=5, assets=place, idle=place), 2, 2)
    assert state.phase == "assets"
    assert rolled(situation(crude=5, assets=place), 2, 2).phase != "assets"


# Later


def test_news_global_warming_threat__an_idle_refinery_is_paid_for_in_a_later_asset_phase_without_a_hit() -> None:
    state = _threatened(assets={0: "refinery 5-5"}, idle={0: "refinery 5-5"})
    cleaned = after(state, 0, CleanUp(site("5-5")))
    assert cleaned.players[0].cash == 75
    assert _idle(cleaned, 0) == 0
    again = refused(cleaned, 0, CleanUp(site("5-5")))
    assert (again.code, again.rule) == ("not_idle", "news/global-warming-threat")


def test_news_global_warming_threat__a_clean_up_has_no_credit() -> None:
    state = _threatened(cash=24, assets={0: "refinery 5-5"}, idle={0: "refinery 5-5"})
    rejection = refused(state, 0, CleanUp(site("5-5")))
    assert (rejection.code, rejection.rule) == ("cash", "purchase/cash-only")


def test_news_global_warming_threat__an_idle_refinery_is_sold_without_a_hit_at_the_current_price() -> None:
    """In a Downturn a refinery brings 80."""
    state = _threatened(economy="downturn", assets={0: "refinery 5-5"}, idle={0: "refinery 5-5"})
    assert AssetSold(0, "refinery", site("5-5"), 80) in events(state, 0, SellAsset("refinery", site("5-5")))


def test_news_global_warming_threat__an_idle_refinery_that_the_roll_hits_is_offered_once() -> None:
    state = _threatened(assets={0: "refinery 1-1"}, idle={0: "refinery 1-1"})
    (offer,) = [offer for offer in offered(state, 0, "SellAsset") if offer.fields["kind"] == TextChoice(("refinery",))]
    assert (offer.rule, offer.fields["site"]) == ("assets/sell", SiteChoice((site("1-1"),), "not_productive"))


def test_news_global_warming_threat__a_clean_refinery_needs_a_hit_to_be_sold() -> None:
    state = _threatened(assets={0: "refinery 3-3, refinery 5-5"}, idle={0: "refinery 5-5"})
    rejection = refused(state, 0, SellAsset("refinery", site("3-3")))
    assert (rejection.code, rejection.rule) == ("not_productive", "assets/sell")


def test_news_global_warming_threat__with_two_players_those_of_the_other_quadrant_are_sold_or_paid_for_too() -> None:
    """The roll hits the clean refinery at 1-1 of quadrant 0. The one at the same place of quadrant 2 needs no hit."""
    standing = {0: "refinery 1-1", 2: "refinery 1-1, refinery 5-5"}
    state = _threatened(2, assets=standing, idle={2: "refinery 1-1, refinery 5-5"})
    state = after(state, 0, CleanUp(site("5-5", 2)))
    state = after(state, 0, SellAsset("refinery", site("1-1", 2)))
    assert state.players[0].cash == 100 - 25 + 30
    assert state.quadrants[2] == placed("refinery 5-5")


def test_news_global_warming_threat__others_wait_for_an_asset_phase_of_their_own() -> None:
    state = _threatened(assets={0: "refinery 5-5", 1: "refinery 5-5"}, idle={0: "refinery 5-5", 1: "refinery 5-5"})
    rejection = refused(state, 1, CleanUp(site("5-5", 1)))
    assert (rejection.code, rejection.rule) == ("out_of_turn", "turn/phases")
    rejection = refused(after(state, 0, EndTurn()), 1, CleanUp(site("5-5", 1)))
    assert (rejection.code, rejection.rule) == ("out_of_phase", "turn/phases")


def test_news_global_warming_threat__refineries_bought_later_are_clean() -> None:
    state = _threatened(assets={0: "refinery 5-5"}, idle={0: "refinery 5-5"})
    bought = after(state, 0, BuyAsset("refinery", site("1-1")))
    assert bought.quadrants[0] == replace(placed("refinery 1-1, refinery 5-5"), idle=placed("refinery 5-5").refineries)


# How long it stays


def test_news_global_warming_threat__it_stays_until_the_last_idle_refinery_is_paid_for_or_sold() -> None:
    """Two are idle. One is paid for: the card stays. The other is sold: the card goes under the pile."""
    state = _threatened(assets={0: "refinery 1-4, refinery 5-5"}, idle={0: "refinery 1-4, refinery 5-5"})
    state = after(state, 0, CleanUp(site("5-5")))
    assert state.news.active == (WARMING,)
    assert NewsDiscarded(WARMING) in events(state, 0, SellAsset("refinery", site("1-4")))
    state = after(state, 0, SellAsset("refinery", site("1-4")))
    assert (state.news.active, state.news.under) == ((), (WARMING,))


def test_news_global_warming_threat__it_stays_while_another_players_refinery_is_idle() -> None:
    state = _threatened(assets={0: "refinery 5-5", 3: "refinery 1-1"}, idle={0: "refinery 5-5", 3: "refinery 1-1"})
    assert after(state, 0, CleanUp(site("5-5"))).news.active == (WARMING,)


def test_news_global_warming_threat__it_ends_when_a_tax_makes_the_owner_sell_the_last_idle_refinery() -> None:
    """20 are due for the refinery, which brings 30."""
    state = situation(
        likelier="debt_reduction_tax",
        active=(WARMING,),
        cash=0,
        assets={0: "refinery 5-5"},
        idle={0: "refinery 5-5"},
    )
    sold = after(rolled(state, 1, 1), 0, SellAsset("refinery", site("5-5")), (1,))
    assert sold.players[0].cash == 10
    assert sold.news.active == ()
    assert set(sold.news.under) == {WARMING, "debt_reduction_tax"}


@pytest.mark.parametrize("die", [2, 4, 5])
def test_news_global_warming_threat__no_double_discards_it(die: int) -> None:
    state = situation(active=(WARMING,), assets={0: "refinery 1-1"}, idle={0: "refinery 1-1"})
    assert rolled(state, die, die).news.active == (WARMING,)


def test_news_global_warming_threat__where_no_refinery_stands_it_is_done_at_once() -> None:
    assert rolled(situation(likelier=WARMING, assets={0: "rig 6-6"}), 1, 1, 1).news.under == (WARMING,)


def test_news_global_warming_threat__where_no_refinery_stands_it_is_done_at_once_on_the_ghosts_turn_too() -> None:
    state = assets_phase(situation(3, quadrant=2, likelier=WARMING))
    assert after(state, 2, EndTurn(), (1, 1, 1)).news.under == (WARMING,)


def test_news_global_warming_threat__when_all_is_paid_for_it_is_under_the_pile_before_the_next_card() -> None:
    """The pile is used up and the sales tax lies under it: that one comes next, and the warming threat goes under."""
    state = situation(likelier=WARMING, less_likely="long_cold_winter", assets={0: "refinery 5-5"})
    state = replace(state, news=replace(state.news, pile=(), under=("state_sales_tax",)))
    waiting = rolled(state, 1, 1)
    assert NewsTurnedOver("state_sales_tax", "less_likely", None) in events(waiting, 0, CleanUp(site("5-5")))
    news = after(waiting, 0, CleanUp(site("5-5"))).news
    assert news == News("long_cold_winter", "state_sales_tax", (), (WARMING,), ())


# Where what is not paid for is sold


def _sold(state: State) -> State:
    """The same at a table that sells what is not paid for."""
    return replace(state, setup=replace(state.setup, unpaid_clean_up="sold"))


def test_news_global_warming_threat__where_that_was_agreed_on_what_is_not_paid_for_is_sold_at_once() -> None:
    """In the Expansion, a refinery brings 60. One of two is paid for: 100 - 25 + 60 = 135. Then none is idle."""
    state = _sold(situation(likelier=WARMING, economy="expansion", assets={0: "refinery 1-1, refinery 5-5"}))
    state = rolled(state, 3, 3)
    state = after(state, 0, CleanUp(site("5-5")))
    happened = events(state, 0, EndCleanUp(), (1,))
    assert happened[:3] == [
        IdleRefinerySold(0, "refinery", site("1-1"), 60),
        CleanUpsEnded(0),
        NewsDiscarded(WARMING),
    ]
    state = after(state, 0, EndCleanUp(), (1,))
    assert (state.players[0].cash, state.quadrants[0]) == (135, placed("refinery 5-5"))


def test_news_global_warming_threat__who_cannot_pay_has_them_sold_without_being_asked() -> None:
    """With 24 in the Recovery: two refineries bring 30 each."""
    state = _sold(situation(likelier=WARMING, cash=24, assets={0: "refinery 1-1, refinery 5-5"}))
    state = rolled(state, 3, 3, 1)
    assert (state.players[0].cash, state.quadrants[0]) == (84, placed(""))


def test_news_global_warming_threat__who_is_away_pays_rather_than_loses_a_refinery() -> None:
    """A new one costs 64 in the Recovery, and the sale would bring 30: a clean-up for 25 is cheaper."""
    state = rolled(situation(likelier=WARMING, assets={0: "refinery 1-1"}), 3, 3)
    assert DEFAULTS["news"](state, 0) == EndCleanUp()
    assert DEFAULTS["news"](_sold(state), 0) == CleanUp(site("1-1"))


@pytest.mark.parametrize("name", ECONOMY)
def test_news_global_warming_threat__what_the_sale_brings_never_makes_up_for_a_new_refinery(name: str) -> None:
    for cards in CARDS.values():
        card = cards[name]  # type: ignore[index]
        assert card.buy["refinery"] - card.sell["refinery"] > 25


def test_news_global_warming_threat__the_offer_says_what_becomes_of_the_others() -> None:
    state = rolled(situation(likelier=WARMING, assets={0: "refinery 1-1"}), 3, 3)
    [offer] = offered(state, 0, "EndCleanUp")
    tell = RULESET.texts.tell_offer
    assert tell(state, offer, "en") == "Leave the other refineries idle for now."
    assert tell(_sold(state), offer, "en") == "Pay for no more clean-ups, and sell the other refineries at once."
