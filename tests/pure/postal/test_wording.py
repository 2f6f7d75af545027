"""Orders and conditions in words."""

import pytest

from mcmulti.domain.core.telling import Language
from mcmulti.domain.oil.market import Market
from mcmulti.domain.postal import conditions as c
from mcmulti.domain.postal import sheet as s
from mcmulti.domain.postal.components import FIELDS
from mcmulti.domain.postal.findings import Circumstances, examine
from mcmulti.domain.postal.wording import Wording
from tests.pure.postal.situations import A, plot, situation

STATE = situation(cash={0: 55, 3: 7}, crude=2, consumer=19, foreign=Market(8, FIELDS), assets={3: "rig 1-1, well 2-2"})
"""Abroad 8 fields of crude are free, so the next barrel costs 9; there is no gasoline left to buy."""


def said(condition: c.Condition, language: Language = "en") -> list[tuple[int, str]]:
    """Depth and sentence of what is said of a condition in a sheet of Ada's."""
    _, findings = examine(Circumstances(STATE, A), condition)
    details = Wording(STATE, language).condition(condition, findings)
    return [(detail.depth, detail.sentence) for detail in details]


def test_conditions_within_one_another_are_told_part_by_part() -> None:
    """Not of two of which the second holds: 55 is not at most 5, but 7 is exactly 7."""
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
            c.AssetDealsAre(deed="converted", at_most=0),
            "Rigs converted in this round at most 0: yes, 0.",
            "In dieser Runde umgewandelte Bohrtürme höchstens 0: ja, 0.",
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
            s.SellBarrelsOrder("domestic", "crude", "max"),
            "sell all the crude on the domestic market",
            "auf dem Inlandsmarkt alles Rohöl verkaufen",
        ),
    ],
)
def test_a_line_says_what_it_wants(order: s.OrderBase, english: str, german: str) -> None:
    assert Wording(STATE, "en").order(order) == english
    assert Wording(STATE, "de").order(order) == german
