"""Orders and conditions in words."""

import pytest

from mcmulti.domain.core.wording.telling import Language
from mcmulti.domain.oil.rules.market import Market
from mcmulti.domain.postal.components import FIELDS
from mcmulti.domain.postal.conditions import conditions as c
from mcmulti.domain.postal.conditions import quantities as q
from mcmulti.domain.postal.conditions.findings import Circumstances, examine
from mcmulti.domain.postal.sheets import sheet as s
from mcmulti.domain.postal.shown.wording import Wording
from tests.pure.postal.situations import A, plot, situation

STATE = situation(cash={0: 55, 3: 7}, crude=2, consumer=19, foreign=Market(8, FIELDS), assets={3: "rig 1-1, well 2-2"})
"""Abroad, 8 fields of crude are free, so the next barrel costs 9. There is no gasoline left to buy."""


def said(condition: c.Condition, language: Language = "en") -> list[tuple[int, str]]:
    """Depth and sentence of the explanation of a condition in a sheet of Ada's."""
    _, findings = examine(Circumstances(STATE, A), condition)
    details = Wording(STATE, language).condition(condition, findings)
    return [(detail.depth, detail.sentence) for detail in details]


def test_conditions_within_one_another_are_told_part_by_part() -> None:
    """The negation covers both, of which the second holds: 55 is not at most 5, but 7 is exactly 7."""
    either = c.AnyOf((c.CashIs(at_most=5), c.CashIs(7, 7, seat=3)))
    assert said(c.Not(either)) == [
        (0, "Not: no."),
        (1, "One of these, or more: yes."),
        (2, "Own cash at most $5M: no, $55M."),
        (2, "Cash of Dan exactly $7M: yes, $7M."),
    ]
    assert said(c.Not(either), "de") == [
        (0, "Nicht: nein."),
        (1, "Mindestens eine von diesen: ja."),
        (2, "Eigenes Bargeld höchstens 5 Mio. $: nein, 55 Mio. $."),
        (2, "Bargeld von Dan genau 7 Mio. $: ja, 7 Mio. $."),
    ]


@pytest.mark.parametrize(
    ("condition", "english", "german"),
    [
        (
            c.ClimateIs(("expansion", "rapid_growth", "prosperity")),
            "Climate Expansion, Rapid growth or Prosperity: no, Recovery.",
            "Wirtschaftslage „Expansion“, „Rasches Wachstum“ oder „Wohlstand“: nein, „Erholung“.",
        ),
        (
            c.PriceIs(deal="buy", market="foreign", good="crude", at_least=5, at_most=9),
            "Price to buy crude on the foreign market from $5M to $9M: yes, $9M.",
            "Kaufpreis für Rohöl auf dem Auslandsmarkt von 5 Mio. $ bis 9 Mio. $: ja, 9 Mio. $.",
        ),
        (
            c.PriceIs(deal="buy", market="foreign", good="gasoline"),
            "Price to buy gasoline on the foreign market of any size: no, there is no such price.",
            "Kaufpreis für Benzin auf dem Auslandsmarkt beliebig: nein, einen solchen Preis gibt es nicht.",
        ),
        (
            c.BarrelsAre(good="crude", at_least=3),
            "Own barrels of crude at least 3: no, 2.",
            "Eigene Fässer Rohöl mindestens 3: nein, 2.",
        ),
        (c.AssetsAre(at_least=2, seat=3), "Assets of Dan at least 2: yes, 2.", "Anlagen von Dan mindestens 2: ja, 2."),
        (c.AssetsAre(1, kind="rig"), "Own rigs at least 1: no, 0.", "Eigene Bohrtürme mindestens 1: nein, 0."),
        (
            c.ConversionsAre(at_most=0),
            "Rigs converted in the game at most 0: yes, 0.",
            "Im Spiel umgewandelte Bohrtürme höchstens 0: ja, 0.",
        ),
        (
            c.AssetDealsAre(deed="converted", at_most=0),
            "Rigs converted in this round at most 0: yes, 0.",
            "In dieser Runde umgewandelte Bohrtürme höchstens 0: ja, 0.",
        ),
        (
            c.AssetDealsAre(deed="bought", kind="rig", plot=plot("2-3"), seat=1),
            "Rigs bought by Ben at row 2, column 3 in this round at least 1: no, 0.",
            "In dieser Runde von Ben in Zeile 2, Spalte 3 gekaufte Bohrtürme mindestens 1: nein, 0.",
        ),
        (
            c.AssetDealsAre(deed="sold"),
            "Assets sold in this round at least 1: no, 0.",
            "In dieser Runde verkaufte Anlagen mindestens 1: nein, 0.",
        ),
        (
            c.BarrelDealsAre(deed="sold", good="crude", market="foreign", seat=2),
            "Barrels of crude sold by Cleo on the foreign market in this round at least 1: no, 0.",
            "In dieser Runde von Cleo auf dem Auslandsmarkt verkaufte Fässer Rohöl mindestens 1: nein, 0.",
        ),
        (
            c.BarrelDealsAre(market="consumers"),
            "Barrels bought and sold at pumps in this round at least 1: no, 0.",
            "In dieser Runde an Tankstellen gehandelte Fässer mindestens 1: nein, 0.",
        ),
        (
            c.RollsAre(seat=3, row=2, column=5),
            "Rolls of Dan with row 2 and column 5 in this round at least 1: no, 0.",
            "Würfe von Dan mit Zeile 2 und Spalte 5 in dieser Runde mindestens 1: nein, 0.",
        ),
        (
            c.RollsAre(double=False, at_most=0),
            "Rolls with no double in this round at most 0: yes, 0.",
            "Würfe mit keinem Pasch in dieser Runde höchstens 0: ja, 0.",
        ),
        (c.RollsAre(), "Rolls in this round at least 1: no, 0.", "Würfe in dieser Runde mindestens 1: nein, 0."),
        (c.RoundIs(at_most=5), "Round at most 5: yes, 5.", "Runde höchstens 5: ja, 5."),
        (
            c.BarrelsAre(good="crude", at_least=3, seat=3),
            "Barrels of crude of Dan at least 3: no, 2.",
            "Fässer Rohöl von Dan mindestens 3: nein, 2.",
        ),
        (
            c.AssetAt(plot("1-1"), "rig", 3),
            "Rig at row 1, column 1 of Dan: yes, rig.",
            "Bohrturm in Zeile 1, Spalte 1 von Dan: ja, Bohrturm.",
        ),
        (
            c.AssetAt(plot("6-6"), hit=True),
            "An asset at row 6, column 6, hit by the last roll: no, nothing stands there.",
            "Eine Anlage in Zeile 6, Spalte 6, vom letzten Wurf getroffen: nein, dort steht nichts.",
        ),
        (
            c.LineWas(3),
            "Line 3 carried out: no, not reached.",
            "Zeile 3 ausgeführt: nein, nicht erreicht.",
        ),
        (
            c.LineWas(3, "in_part"),
            "Line 3 carried out in part: no, not reached.",
            "Zeile 3 zum Teil ausgeführt: nein, nicht erreicht.",
        ),
        (
            c.Compares(q.CashOf(), q.CashOf(3)),
            "Own cash more than cash of Dan: yes, $55M and $7M.",
            "Eigenes Bargeld mehr als Bargeld von Dan: ja, 55 Mio. $ und 7 Mio. $.",
        ),
        (
            c.Compares(q.CashOf(3), q.CashOf(), "at_least", -50),
            "Cash of Dan at least own cash minus $50M: yes, $7M and $55M.",
            "Bargeld von Dan mindestens eigenes Bargeld minus 50 Mio. $: ja, 7 Mio. $ und 55 Mio. $.",
        ),
        (
            c.Compares(q.BarrelsOf("crude"), q.BarrelsOf("crude", 1), "equal", 3),
            "Own barrels of crude equal to barrels of crude of Ben plus 3: no, 2 and 2.",
            "Eigene Fässer Rohöl gleich Fässer Rohöl von Ben plus 3: nein, 2 und 2.",
        ),
        (
            c.Compares(q.AssetsOf("well"), q.AssetsOf("well", 3), "less"),
            "Own wells less than wells of Dan: yes, 0 and 1.",
            "Eigene Ölquellen weniger als Ölquellen von Dan: ja, 0 und 1.",
        ),
        (
            c.Compares(q.PriceOf("buy", "foreign", "gasoline"), q.ConsumerPriceNow(), "at_most"),
            "Price to buy gasoline on the foreign market at most consumer price: no, there is no such price.",
            "Kaufpreis für Benzin auf dem Auslandsmarkt höchstens Verbraucherpreis: nein, einen solchen Preis gibt es "
            "nicht.",
        ),
        (
            c.Compares(q.AssetDealsOf("bought", seat=1), q.BarrelDealsOf()),
            "Assets bought by Ben in this round more than barrels bought and sold in this round: no, 0 and 0.",
            "In dieser Runde von Ben gekaufte Anlagen mehr als in dieser Runde gehandelte Fässer: nein, 0 und 0.",
        ),
        (
            c.ClimateChangesAre(1, 2),
            "Changes of the climate in this round from 1 to 2: no, 0.",
            "Wechsel der Wirtschaftslage in dieser Runde von 1 bis 2: nein, 0.",
        ),
    ],
)
def test_a_condition_says_what_was_asked_and_what_was_found(condition: c.Condition, english: str, german: str) -> None:
    assert said(condition) == [(0, english)]
    assert said(condition, "de") == [(0, german)]


@pytest.mark.parametrize(
    ("order", "english", "german"),
    [
        (
            s.SellAssetOrder("well", plot("1-2")),
            "sell the well at row 1, column 2",
            "die Ölquelle in Zeile 1, Spalte 2 verkaufen",
        ),
        (s.ConvertRigOrder(), "convert the rig with a double hit", "den doppelt getroffenen Bohrturm umwandeln"),
        (
            s.ConvertRigOrder(plot("6-1")),
            "convert the rig at row 6, column 1",
            "den Bohrturm in Zeile 6, Spalte 1 umwandeln",
        ),
        (
            s.BuyBarrelsOrder("foreign", "crude", "max", not_above=10),
            "buy all the crude there is on the foreign market for $10M a barrel at most",
            "auf dem Auslandsmarkt alles Rohöl, das zu haben ist, kaufen, höchstens für 10 Mio. $ je Fass",
        ),
        (
            s.SellBarrelsOrder("domestic", "gasoline", 1, not_below=12),
            "sell 1 barrel of gasoline on the domestic market for $12M a barrel at least",
            "auf dem Inlandsmarkt 1 Fass Benzin verkaufen, mindestens für 12 Mio. $ je Fass",
        ),
        (
            s.SellBarrelsOrder("domestic", "crude", "max", 3, keep=2),
            "sell all the crude on the domestic market for $3M a barrel at least, keeping 2 barrels of crude",
            "auf dem Inlandsmarkt alles Rohöl verkaufen, mindestens für 3 Mio. $ je Fass, dabei 2 Fässer Rohöl "
            "behalten",
        ),
        (
            s.BuyBarrelsOrder("domestic", "crude", 1, keep=50),
            "buy 1 barrel of crude on the domestic market, keeping $50M",
            "auf dem Inlandsmarkt 1 Fass Rohöl kaufen, dabei 50 Mio. $ behalten",
        ),
        (
            s.BuyAssetOrder("rig", plot("1-2"), keep=50),
            "buy a rig for row 1, column 2, keeping $50M",
            "einen Bohrturm für Zeile 1, Spalte 2 kaufen, dabei 50 Mio. $ behalten",
        ),
        (
            s.ConvertRigOrder(keep=50),
            "convert the rig with a double hit, keeping $50M",
            "den doppelt getroffenen Bohrturm umwandeln, dabei 50 Mio. $ behalten",
        ),
        (
            s.SellBarrelsOrder("domestic", "crude", "max"),
            "sell all the crude on the domestic market",
            "auf dem Inlandsmarkt alles Rohöl verkaufen",
        ),
    ],
)
def test_a_line_says_what_it_wants(order: s.OrderBase, english: str, german: str) -> None:
    assert Wording(STATE, "en").order(order) == english
    assert Wording(STATE, "de").order(order) == german
