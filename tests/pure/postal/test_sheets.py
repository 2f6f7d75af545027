"""Sheets as data: what is refused before a round is played."""

from typing import Any

import msgspec
import pytest

from mcmulti.domain.postal import RULESET
from mcmulti.domain.postal.commands import SubmitOrders
from mcmulti.domain.postal.conditions import conditions as c
from mcmulti.domain.postal.sheets.sheet import ConvertRigOrder, IfOrder, IfPumps, OrderSheet, SellAtPumps, walk
from tests.pure.postal.situations import A, after, refused, started

CONVERT = ConvertRigOrder()
RICH = c.CashIs(at_least=1)


def nested(depth: int) -> IfOrder:
    """An if with this many nested ifs, including itself."""
    order = IfOrder(RICH)
    for _ in range(depth - 1):
        order = IfOrder(RICH, (order,))
    return order


def deny(times: int) -> c.Condition:
    condition: c.Condition = RICH
    for _ in range(times):
        condition = c.Not(condition)
    return condition


def test_postal_sheet__two_hundred_lines() -> None:
    """The line of the pumps counts: 199 lines before it are accepted, 200 are not."""
    assert after(started(), A, SubmitOrders(1, OrderSheet((CONVERT,) * 199))).sheets[A]
    refusal = refused(started(), A, SubmitOrders(1, OrderSheet((CONVERT,) * 200)))
    assert (refusal.code, refusal.rule, refusal.field, refusal.limit) == ("sheet_lines", "postal/sheet", "sheet", 200)
    assert RULESET.texts.tell_refusal(refusal, "en") == "Line 201: The sheet has too many lines. At most 200."


def test_postal_sheet__eight_deep() -> None:
    """The condition of an if is one level deeper than the if: seven ifs and the condition of the last make eight."""
    assert after(started(), A, SubmitOrders(1, OrderSheet((nested(7),)))).sheets[A]
    refusal = refused(started(), A, SubmitOrders(1, OrderSheet((CONVERT, nested(8)))))
    assert (refusal.code, refusal.limit) == ("sheet_depth", 8)
    assert refusal.line == 9


def test_postal_sheet__conditions_are_as_deep_as_they_are_nested() -> None:
    """An if, six negations, and the negated condition make eight."""
    assert after(started(), A, SubmitOrders(1, OrderSheet((IfOrder(deny(6)),)))).sheets[A]
    assert refused(started(), A, SubmitOrders(1, OrderSheet((IfOrder(deny(7)),)))).code == "sheet_depth"


def test_postal_sheet__a_thousand_lines_and_conditions() -> None:
    """19 ifs with 1 + 50 conditions: 19 * 52 = 988, the pumps' line 989, 11 more lines 1000."""
    many = IfOrder(c.AllOf((RICH,) * 50))
    assert after(started(), A, SubmitOrders(1, OrderSheet((many,) * 19 + (CONVERT,) * 11))).sheets[A]
    refusal = refused(started(), A, SubmitOrders(1, OrderSheet((many,) * 19 + (CONVERT,) * 12)))
    assert (refusal.code, refusal.limit) == ("sheet_nodes", 1000)
    assert refusal.line == 32


def test_postal_sheet__lines_are_numbered_in_reading_order() -> None:
    sheet = OrderSheet(
        (IfOrder(RICH, (CONVERT, CONVERT), (CONVERT,)), CONVERT), pumps=IfPumps(RICH, SellAtPumps(), SellAtPumps())
    )
    numbered = [(place.line, type(place.node).__name__) for place in walk(sheet)]
    assert numbered == [
        (1, "IfOrder"),
        (1, "CashIs"),
        (2, "ConvertRigOrder"),
        (3, "ConvertRigOrder"),
        (4, "ConvertRigOrder"),
        (5, "ConvertRigOrder"),
        (6, "IfPumps"),
        (6, "CashIs"),
        (7, "SellAtPumps"),
        (8, "SellAtPumps"),
    ]


SHEET: dict[str, Any] = {
    "orders": [
        {
            "type": "IfOrder",
            "condition": {"type": "AnyOf", "conditions": [{"type": "ClimateIs", "climates": ["recovery"]}]},
            "then": [{"type": "BuyAssetOrder", "kind": "rig", "plot": {"row": 1, "column": 6}}],
            "else": [{"type": "ConvertRigOrder"}],
        }
    ],
    "trades": [{"type": "SellBarrelsOrder", "market": "foreign", "good": "crude", "quantity": "max", "not_below": 4}],
    "pumps": {"type": "SellAtPumps", "not_below": 9},
}


ROUND_SHEET: dict[str, Any] = {
    "orders": [
        {"type": "SellAssetOrder", "kind": "refinery", "plot": {"row": 4, "column": 5}},
        {"type": "ConvertRigOrder", "keep": 50},
        {"type": "BuyAssetOrder", "kind": "rig", "plot": {"row": 1, "column": 6}, "keep": 50},
        {
            "type": "IfOrder",
            "condition": {
                "type": "AllOf",
                "conditions": [
                    {"type": "AssetAt", "plot": {"row": 4, "column": 5}},
                    {"type": "AssetAt", "plot": {"row": 1, "column": 1}, "kind": "rig", "seat": 2, "hit": True},
                    {"type": "RoundIs", "at_least": 10},
                    {"type": "BarrelsAre", "good": "crude", "at_least": 5, "seat": 1},
                    {"type": "AssetDealsAre", "deed": "converted", "seat": 1, "plot": {"row": 2, "column": 2}},
                    {"type": "AssetDealsAre", "deed": "bought", "kind": "refinery", "at_most": 0},
                    {"type": "BarrelDealsAre", "market": "foreign", "seat": 3},
                    {
                        "type": "BarrelDealsAre",
                        "deed": "sold",
                        "good": "gasoline",
                        "market": "consumers",
                        "at_least": 4,
                    },
                    {"type": "RollsAre", "double": True, "seat": 0},
                    {"type": "RollsAre", "row": 3, "column": 5, "at_least": 1, "at_most": 2},
                    {"type": "LineWas", "line": 1},
                    {"type": "LineWas", "line": 2, "outcome": "skipped"},
                    {"type": "Compares", "quantity": {"type": "CashOf"}, "other": {"type": "CashOf", "seat": 1}},
                    {
                        "type": "Compares",
                        "quantity": {"type": "BarrelsOf", "good": "crude", "seat": 2},
                        "relation": "at_most",
                        "other": {"type": "PriceOf", "deal": "buy", "market": "domestic", "good": "crude"},
                        "plus": -2,
                    },
                    {
                        "type": "Compares",
                        "quantity": {"type": "AssetDealsOf", "deed": "sold", "seat": 1},
                        "relation": "equal",
                        "other": {"type": "BarrelDealsOf", "deed": "bought", "good": "crude"},
                    },
                    {
                        "type": "Compares",
                        "quantity": {"type": "AssetsOf", "kind": "well"},
                        "relation": "less",
                        "other": {"type": "ConsumerPriceNow"},
                    },
                ],
            },
        },
    ],
    "trades": [
        {"type": "SellBarrelsOrder", "market": "foreign", "good": "crude", "quantity": "max", "keep": 2},
        {"type": "BuyBarrelsOrder", "market": "foreign", "good": "gasoline", "quantity": 7, "keep": 50},
    ],
    "pumps": {
        "type": "SellAtPumps",
        "each": 1,
        "at": [{"plot": {"row": 2, "column": 3}, "each": 0}],
        "at_most": 3,
        "keep": 2,
    },
}
"""Everything that asks about earlier events, compares, keeps, or limits pumps."""


def decode(sheet: object) -> OrderSheet:
    return msgspec.json.decode(msgspec.json.encode(sheet), type=OrderSheet)


def test_postal_sheet__as_json_and_back() -> None:
    assert msgspec.json.decode(msgspec.json.encode(decode(SHEET))) == SHEET
    assert msgspec.json.decode(msgspec.json.encode(decode(ROUND_SHEET))) == ROUND_SHEET
    assert decode({}) == OrderSheet()


@pytest.mark.parametrize(
    "wrong",
    [
        {"orders": [{"type": "BuyAssetOrder", "kind": "rig", "plot": {"row": 7, "column": 1}}]},
        {"orders": [{"type": "BuyAssetOrder", "kind": "well", "plot": {"row": 1, "column": 1}}]},
        {"orders": [{"type": "BuyBarrelsOrder", "market": "foreign", "good": "crude", "quantity": 1}]},
        {"orders": [{"type": "IfOrder", "condition": {"type": "CashIs", "seat": 4}}]},
        {"orders": [{"type": "IfOrder", "condition": {"type": "ClimateIs", "climates": []}}]},
        {"orders": [{"type": "IfOrder", "condition": {"type": "CashIs", "at_least": -1}}]},
        {"orders": [{"type": "ConvertRigOrder", "plots": None}]},
        {"trades": [{"type": "BuyBarrelsOrder", "market": "foreign", "good": "crude", "quantity": 0}]},
        {"trades": [{"type": "BuyBarrelsOrder", "market": "foreign", "good": "crude", "quantity": "all"}]},
        {"pumps": {"type": "SellAtPumps", "not_below": 0}},
        {"orders": [{"type": "ConvertRigOrder", "keep": -1}]},
        {"orders": [{"type": "IfOrder", "condition": {"type": "AssetDealsAre"}}]},
        {"orders": [{"type": "IfOrder", "condition": {"type": "AssetDealsAre", "deed": "traded"}}]},
        {"orders": [{"type": "IfOrder", "condition": {"type": "BarrelDealsAre", "deed": "converted"}}]},
        {"orders": [{"type": "IfOrder", "condition": {"type": "RollsAre", "row": 7}}]},
        {"orders": [{"type": "IfOrder", "condition": {"type": "LineWas", "line": 0}}]},
        {"orders": [{"type": "IfOrder", "condition": {"type": "Compares", "quantity": {"type": "CashOf"}}}]},
        {
            "orders": [
                {"type": "IfOrder", "condition": {"type": "Compares", "quantity": 5, "other": {"type": "CashOf"}}}
            ]
        },
        {"pumps": {"type": "SellAtPumps", "each": 3}},
        {"pumps": {"type": "SellAtPumps", "at": [{"plot": {"row": 1, "column": 1}, "each": -1}]}},
        {"pumps": None},
        {"notes": "none"},
    ],
)
def test_postal_sheet__what_is_no_sheet_is_not_decoded(wrong: object) -> None:
    """This includes a site outside the grid and a player who does not exist."""
    with pytest.raises(msgspec.ValidationError):
        decode(wrong)


def test_postal_sheet__what_is_nested_without_end_is_an_error_and_no_crash() -> None:
    deep = b'{"type":"Not","condition":' * 100_000
    with pytest.raises(RecursionError):
        msgspec.json.decode(b'{"pumps":{"type":"IfPumps","condition":' + deep, type=OrderSheet)
