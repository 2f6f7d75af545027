"""The vocabulary of order sheets: lines and conditions as JSON."""

from mcmulti.bots.strategies.field import Spot
from mcmulti.client.json_object import Json


def plot(place: Spot) -> Json:
    """A site of your own quadrant."""
    return {"row": place[0], "column": place[1]}


def sell_asset(kind: str, place: Spot) -> Json:
    return {"type": "SellAssetOrder", "kind": kind, "plot": plot(place)}


def convert_rig(place: Spot) -> Json:
    return {"type": "ConvertRigOrder", "plot": plot(place)}


def buy_asset(kind: str, place: Spot) -> Json:
    return {"type": "BuyAssetOrder", "kind": kind, "plot": plot(place)}


def buy_barrels(market: str, good: str, quantity: int | str, not_above: int) -> Json:
    """Barrels at no more than `not_above` each."""
    wish = {"market": market, "good": good, "quantity": quantity, "not_above": not_above}
    return {"type": "BuyBarrelsOrder"} | wish


def sell_barrels(market: str, good: str, quantity: int | str, not_below: int) -> Json:
    """Barrels at no less than `not_below` each."""
    wish = {"market": market, "good": good, "quantity": quantity, "not_below": not_below}
    return {"type": "SellBarrelsOrder"} | wish


def if_order(condition: Json, then: list[Json], otherwise: list[Json] | None = None) -> Json:
    """A choice in phase 1."""
    return {"type": "IfOrder", "condition": condition, "then": then, "else": otherwise or []}


def if_trade(condition: Json, then: list[Json], otherwise: list[Json] | None = None) -> Json:
    """A choice in phase 2."""
    return {"type": "IfTrade", "condition": condition, "then": then, "else": otherwise or []}


def sell_at_pumps(not_below: int = 1, each: int = 2) -> Json:
    """Pumps sell at this price and above, each at most this many barrels when it is hit."""
    return {"type": "SellAtPumps", "not_below": not_below, "each": each}


def if_pumps(condition: Json, then: Json, otherwise: Json) -> Json:
    """A choice whenever pumps are hit."""
    return {"type": "IfPumps", "condition": condition, "then": then, "else": otherwise}


def climate_is(*climates: str) -> Json:
    return {"type": "ClimateIs", "climates": list(climates)}


def cash_from(least: int) -> Json:
    """Your own cash is at least this much."""
    return {"type": "CashIs", "at_least": max(0, least)}


def price_is(deal: str, market: str, good: str, **bounds: int) -> Json:
    """The price of the next barrel is within `at_least` and `at_most`."""
    return {"type": "PriceIs", "deal": deal, "market": market, "good": good} | bounds


def count(lines: list[Json]) -> int:
    """The number of these lines, including all their branches."""
    return sum(1 + count(line.get("then", [])) + count(line.get("else", [])) for line in lines)
