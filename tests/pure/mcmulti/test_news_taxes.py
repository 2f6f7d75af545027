"""News that must be paid for: debt reduction, state sales tax, snap inspection."""

import pytest

from mcmulti.domain.core.offers import TextChoice
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import EndTurn, RollDice, SellAsset
from mcmulti.domain.mcmulti.components import NewsName
from mcmulti.domain.mcmulti.news.taxes import TaxLevied, TaxPaid
from mcmulti.domain.mcmulti.state import Due, State
from mcmulti.domain.oil.names import EconomyName, SiteChoice
from tests.pure.mcmulti.situations import after, assets_phase, events, offered, refused, rolled, site, situation


def _taxes(happened: list[object]) -> list[object]:
    return [event for event in happened if isinstance(event, TaxLevied | TaxPaid)]


def _cash(state: State) -> list[int]:
    return [player.cash for player in state.players]


# Debt reduction tax


def test_news_debt_reduction_tax__each_pays_by_kind_of_asset_in_turn_order_from_the_player_at_turn() -> None:
    """Player 0: two rigs, well, station, refinery: 4 + 5 + 15 + 20 = 44. Player 1: 2. Player 3: two refineries: 40."""
    state = situation(
        quadrant=2,
        likelier="debt_reduction_tax",
        assets={
            0: "rig 1-1, rig 2-2, well 3-3, station 4-4, refinery 5-5",
            1: "rig 6-6",
            3: "refinery 3-3, refinery 5-5",
        },
    )
    assert _taxes([*events(state, 2, RollDice(), (1, 1, 1))]) == [
        TaxLevied("debt_reduction_tax", (Due(3, 40), Due(0, 44), Due(1, 2))),
        TaxPaid(3, 40, 40),
        TaxPaid(0, 44, 44),
        TaxPaid(1, 2, 2),
    ]
    assert _cash(rolled(state, 1, 1, 1)) == [56, 98, 100, 60]


def test_news_debt_reduction_tax__with_two_players_both_quadrants_are_taxed_together() -> None:
    """2 + 15 for quadrants 0 and 2 of player 0, 20 + 5 for quadrants 1 and 3 of player 1."""
    state = situation(
        2,
        likelier="debt_reduction_tax",
        assets={0: "rig 6-6", 1: "refinery 4-4", 2: "station 6-6", 3: "well 6-6"},
    )
    assert _taxes([*events(state, 0, RollDice(), (1, 1, 1))]) == [
        TaxLevied("debt_reduction_tax", (Due(0, 17), Due(1, 25))),
        TaxPaid(0, 17, 17),
        TaxPaid(1, 25, 25),
    ]


def test_news_debt_reduction_tax__nobody_pays_when_nobody_has_assets() -> None:
    state = situation(likelier="debt_reduction_tax")
    assert _taxes([*events(state, 0, RollDice(), (1, 1, 1))]) == []


@pytest.mark.parametrize(
    ("economy", "kind", "place", "left"),
    [
        ("recovery", "well", "2-2", 5 + 30 - 22),
        ("recovery", "station", "3-3", 5 + 24 - 22),
        ("prosperity", "well", "2-2", 5 + 75 - 22),
        ("downturn", "station", "3-3", 5 + 45 - 22),
        ("depression", "well", "2-2", 5 + 20 - 22),
    ],
)
def test_news_debt_reduction_tax__who_lacks_cash_sells_what_it_likes_at_the_current_price(
    economy: EconomyName, kind: str, place: str, left: int
) -> None:
    """Rig, well, and station: 2 + 5 + 15 = 22 are due, including the one that is sold, and 5 are there."""
    state = rolled(
        situation(
            economy=economy,
            likelier="debt_reduction_tax",
            cash={0: 5},
            assets={0: "rig 1-1, well 2-2, station 3-3"},
        ),
        1,
        1,
    )
    assert RULESET.to_move(state) == (0,)
    sold = after(state, 0, SellAsset(kind, site(place)), (1,))  # type: ignore[arg-type]
    assert sold.players[0].cash == left
    assert sold.phase != "news"


def test_news_debt_reduction_tax__the_rest_is_still_due_after_a_sale_that_brings_too_little() -> None:
    """22 are due. The rig brings 3 and leaves 8, not enough. The station brings 24: 5 + 3 + 24 - 22 = 10."""
    state = rolled(
        situation(likelier="debt_reduction_tax", cash={0: 5}, assets={0: "rig 1-1, well 2-2, station 3-3"}), 1, 1
    )
    state = after(state, 0, SellAsset("rig", site("1-1")))
    assert state.phase == "news"
    assert state.players[0].cash == 8
    assert state.now.dues == (Due(0, 22),)
    state = after(state, 0, SellAsset("station", site("3-3")), (1,))
    assert state.players[0].cash == 10


def test_news_debt_reduction_tax__every_asset_is_offered_at_its_price() -> None:
    """The refinery is named by its top-left site. Prices are those of the Recovery."""
    assets = "rig 1-1, rig 1-2, well 2-2, station 3-3, refinery 5-5"
    state = rolled(situation(likelier="debt_reduction_tax", cash=0, assets={0: assets}), 1, 1)
    sales = {offer.fields["kind"]: (offer.price, offer.fields["site"]) for offer in offered(state, 0, "SellAsset")}
    assert sales == {
        TextChoice(("rig",)): (3, SiteChoice((site("1-1"), site("1-2")), "not_forced")),
        TextChoice(("well",)): (30, SiteChoice((site("2-2"),), "not_forced")),
        TextChoice(("station",)): (24, SiteChoice((site("3-3"),), "not_forced")),
        TextChoice(("refinery",)): (30, SiteChoice((site("5-5"),), "not_forced")),
    }


# State sales tax


def test_news_state_sales_tax__each_pays_15_a_station_and_nothing_for_other_assets() -> None:
    state = situation(
        quadrant=1,
        likelier="state_sales_tax",
        assets={0: "station 1-1, station 6-6, rig 2-2", 1: "rig 1-1, well 6-6, refinery 3-3", 3: "station 5-5"},
    )
    assert _taxes([*events(state, 1, RollDice(), (1, 1, 1))]) == [
        TaxLevied("state_sales_tax", (Due(3, 15), Due(0, 30))),
        TaxPaid(3, 15, 15),
        TaxPaid(0, 30, 30),
    ]
    assert _cash(rolled(state, 1, 1, 1)) == [70, 100, 100, 85]


def test_news_state_sales_tax__only_stations_may_be_sold_for_it() -> None:
    state = rolled(
        situation(likelier="state_sales_tax", cash=0, assets={0: "station 1-1, rig 2-2, well 3-3, refinery 5-5"}), 1, 1
    )
    (offer,) = offered(state, 0, "SellAsset")
    assert (offer.rule, offer.price) == ("forced/sale", 24)
    assert offer.fields == {"kind": TextChoice(("station",)), "site": SiteChoice((site("1-1"),), "not_forced")}


@pytest.mark.parametrize(("kind", "place"), [("rig", "2-2"), ("well", "3-3"), ("refinery", "5-5")])
def test_news_state_sales_tax__other_assets_are_refused_because_the_news_does_not_allow_them(
    kind: str, place: str
) -> None:
    state = rolled(
        situation(likelier="state_sales_tax", cash=0, assets={0: "station 1-1, rig 2-2, well 3-3, refinery 5-5"}), 1, 1
    )
    rejection = refused(state, 0, SellAsset(kind, site(place)))  # type: ignore[arg-type]
    assert (rejection.code, rejection.rule, rejection.limit) == ("not_forced", "forced/sale", None)


def test_news_state_sales_tax__it_is_due_on_the_stations_sold_for_it() -> None:
    """45 for three stations, 20 are there. One sold: 44, still too little. Two sold: 20 + 24 + 24 - 45 = 23."""
    stations = "station 1-1, station 2-2, station 3-3"
    state = rolled(situation(likelier="state_sales_tax", cash={0: 20}, assets={0: stations}), 1, 1)
    state = after(state, 0, SellAsset("station", site("1-1")))
    assert state.now.dues == (Due(0, 45),)
    happened = events(state, 0, SellAsset("station", site("3-3")), (1,))
    assert TaxPaid(0, 45, 45) in happened
    state = after(state, 0, SellAsset("station", site("3-3")), (1,))
    assert state.players[0].cash == 23
    assert state.quadrants[0].stations.bit_count() == 1


# Snap inspection


def test_news_snap_inspection__each_pays_3_a_barrel_of_crude_and_5_a_barrel_of_gasoline() -> None:
    """Player 0: 4 x 3 + 3 x 5 = 27. Player 2: 2 x 3 = 6. Player 3: 1 x 5. The barrels stay with their owners."""
    state = situation(
        quadrant=3,
        less_likely="snap_inspection",
        crude={0: 4, 2: 2},
        gasoline={0: 3, 3: 1},
        assets={1: "station 6-6"},
    )
    assert _taxes([*events(state, 3, RollDice(), (6, 6, 1))]) == [
        TaxLevied("snap_inspection", (Due(3, 5), Due(0, 27), Due(2, 6))),
        TaxPaid(3, 5, 5),
        TaxPaid(0, 27, 27),
        TaxPaid(2, 6, 6),
    ]
    inspected = rolled(state, 6, 6, 1)
    assert _cash(inspected) == [73, 100, 94, 95]
    assert [(player.crude, player.gasoline) for player in inspected.players] == [(4, 3), (0, 0), (2, 0), (0, 1)]


def test_news_snap_inspection__who_lacks_cash_may_sell_an_asset_of_any_kind() -> None:
    """9 are due for three barrels. The well brings 30: 30 - 9 = 21."""
    assets = "rig 1-1, well 3-3, station 4-4, refinery 5-5"
    state = rolled(situation(cash=0, crude={0: 3}, assets={0: assets}), 6, 6)
    kinds = {offer.fields["kind"] for offer in offered(state, 0, "SellAsset")}
    assert kinds == {TextChoice((kind,)) for kind in ("rig", "well", "station", "refinery")}
    assert after(state, 0, SellAsset("well", site("3-3")), (1,)).players[0].cash == 21


def test_news_snap_inspection__who_has_nothing_left_to_sell_pays_what_there_is() -> None:
    """30 are due for ten barrels. 5 in cash and 3 for the rig make 8, and that is all: 8 are paid."""
    state = rolled(situation(cash={0: 5}, crude={0: 10}, assets={0: "rig 1-1"}), 6, 6)
    sale = SellAsset("rig", site("1-1"))
    assert TaxPaid(0, 30, 8) in events(state, 0, sale, (1,))
    assert after(state, 0, sale, (1,)).players[0].cash == 0


def test_news_snap_inspection__who_has_nothing_to_sell_is_not_asked() -> None:
    state = situation(cash={0: 4}, gasoline={0: 1})
    assert TaxPaid(0, 5, 4) in events(state, 0, RollDice(), (6, 6, 1))


# Who pays when


@pytest.mark.parametrize("card", ["debt_reduction_tax", "state_sales_tax", "snap_inspection"])
def test_news_double__on_the_ghosts_turn_payment_begins_with_its_left_neighbor(card: NewsName) -> None:
    """Quadrant 3 is the ghost's, so the order is 0, 1, 2. A station owes 15 by either tax, three barrels of gasoline
    owe 15 to the inspection."""
    state = assets_phase(
        situation(
            3,
            quadrant=2,
            likelier=card,
            less_likely="long_cold_winter",
            gasoline=3,
            assets=dict.fromkeys(range(3), "station 6-6"),
        )
    )
    assert _taxes([*events(state, 2, EndTurn(), (1, 1, 1))]) == [
        TaxLevied(card, (Due(0, 15), Due(1, 15), Due(2, 15))),
        TaxPaid(0, 15, 15),
        TaxPaid(1, 15, 15),
        TaxPaid(2, 15, 15),
    ]


def test_news_debt_reduction_tax__on_the_ghosts_turn_who_lacks_cash_sells_too() -> None:
    """15 for the station, which brings 24: 9 are left. Then the ghost's turn is over and player 0 begins."""
    state = assets_phase(
        situation(3, quadrant=2, likelier="debt_reduction_tax", cash={0: 100, 2: 100}, assets={1: "station 6-6"})
    )
    waiting = after(state, 2, EndTurn(), (1, 1))
    assert RULESET.to_move(waiting) == (1,)
    paid = after(waiting, 1, SellAsset("station", site("6-6", 1)), (1,))
    assert _cash(paid) == [100, 9, 100]
    assert (paid.phase, paid.now.seat) == ("market", 0)


def test_news_state_sales_tax__each_decides_when_those_before_have_paid() -> None:
    """Player 1 is to move. Players 2 and 0 lack cash: 1 has paid, 2 decides, then 3 pays, then 0 decides."""
    stations = dict.fromkeys(range(4), "station 6-6")
    state = rolled(situation(quadrant=1, likelier="state_sales_tax", cash={1: 15, 2: 14, 3: 15}, assets=stations), 1, 1)
    assert RULESET.to_move(state) == (2,)
    assert _cash(state) == [0, 0, 14, 15]
    rejection = refused(state, 0, SellAsset("station", site("6-6", 0)))
    assert (rejection.code, rejection.rule) == ("out_of_turn", "turn/phases")
    state = after(state, 2, SellAsset("station", site("6-6", 2)))
    assert RULESET.to_move(state) == (0,)
    assert _cash(state) == [0, 0, 23, 0]
