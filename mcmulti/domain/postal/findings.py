"""Looking into conditions: whether they hold, and the figures that decided (`postal/conditions`)."""

from collections.abc import Callable
from typing import Annotated, Any

from msgspec import Meta, Struct

from mcmulti.domain.oil.market import prices_to_buy, prices_to_sell
from mcmulti.domain.oil.names import EconomyName, Good, MarketName
from mcmulti.domain.postal import conditions as c
from mcmulti.domain.postal.components import FIELDS, STEP
from mcmulti.domain.postal.names import Deal
from mcmulti.domain.postal.state import State


class Finding(Struct, frozen=True, gc=False):
    """What one condition came to. `condition`: what was asked. `holds`: whether it was so.

    `value`: what the game said, a figure or the climate; null where there is no such price.
    """

    condition: c.Condition
    value: EconomyName | Annotated[int, Meta(ge=0, le=2**31 - 1)] | None
    holds: bool


Findings = tuple[Finding, ...]


def examine(state: State, seat: int, condition: c.Condition) -> tuple[bool, Findings]:
    """Whether a condition of a seat's sheet holds, and what each of its parts came to, in reading order.

    Every part is looked into, also where others have decided already, so that the report is whole.
    """
    if isinstance(condition, c.AllOf | c.AnyOf):
        parts = [examine(state, seat, part) for part in condition.conditions]
        join = all if isinstance(condition, c.AllOf) else any
        return join(held for held, _ in parts), tuple(finding for _, findings in parts for finding in findings)
    if isinstance(condition, c.Not):
        held, findings = examine(state, seat, condition.condition)
        return not held, findings
    value = _VALUES[type(condition)](state, seat, condition)
    held = value is not None and _holds(condition, value)
    return held, (Finding(condition, value, held),)


def next_price(state: State, deal: Deal, market: MarketName, good: Good) -> int | None:
    """The price of the next barrel, in millions of dollars; None if there is none to buy, or to sell."""
    free = state.market(market).free(good)
    prices = prices_to_buy(STEP[good], FIELDS, free) if deal == "buy" else prices_to_sell(STEP[good], free)
    return prices[0] if prices else None


def consumer_price(state: State) -> int | None:
    """What the next barrel brings at a pump, in millions of dollars; None if none can be sold (`postal/pump`)."""
    return state.consumer_price or None


def _holds(condition: c.Condition, value: int | EconomyName) -> bool:
    if isinstance(condition, c.ClimateIs):
        return value in condition.climates
    if not isinstance(condition, c.Bounded) or not isinstance(value, int):
        raise TypeError(f"{type(condition).__name__} does not ask for a figure")
    above = condition.at_least is None or value >= condition.at_least
    return above and (condition.at_most is None or value <= condition.at_most)


def _climate(state: State, seat: int, condition: c.ClimateIs) -> EconomyName:
    return state.economy


def _price(state: State, seat: int, condition: c.PriceIs) -> int | None:
    return next_price(state, condition.deal, condition.market, condition.good)


def _consumer_price(state: State, seat: int, condition: c.ConsumerPriceIs) -> int | None:
    return consumer_price(state)


def _cash(state: State, seat: int, condition: c.CashIs) -> int:
    return state.players[seat if condition.seat is None else condition.seat].cash


def _barrels(state: State, seat: int, condition: c.BarrelsAre) -> int:
    player = state.players[seat]
    return player.crude if condition.good == "crude" else player.gasoline


def _assets(state: State, seat: int, condition: c.AssetsAre) -> int:
    pieces = state.pieces(seat if condition.seat is None else condition.seat)
    return sum(pieces.values()) if condition.kind is None else pieces[condition.kind]


def _conversions(state: State, seat: int, condition: c.ConversionsAre) -> int:
    return state.conversions if condition.span == "game" else state.conversions_in_round


def _climate_changes(state: State, seat: int, condition: c.ClimateChangesAre) -> int:
    return state.climate_changes


_VALUES: dict[type[c.ConditionBase], Callable[[State, int, Any], int | EconomyName | None]] = {
    c.ClimateIs: _climate,
    c.PriceIs: _price,
    c.ConsumerPriceIs: _consumer_price,
    c.CashIs: _cash,
    c.BarrelsAre: _barrels,
    c.AssetsAre: _assets,
    c.ConversionsAre: _conversions,
    c.ClimateChangesAre: _climate_changes,
}
