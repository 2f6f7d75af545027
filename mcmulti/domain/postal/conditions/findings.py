"""Evaluate conditions: whether they hold, and the numbers that decided (`postal/conditions`)."""

from collections.abc import Callable, Mapping, Sequence
from operator import eq, ge, gt, le, lt
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta, Struct

from mcmulti.domain.core.figures import MOST
from mcmulti.domain.oil.names import EconomyName, Good, Kind, MarketName
from mcmulti.domain.oil.rules.board import bit
from mcmulti.domain.oil.rules.market import prices_to_buy, prices_to_sell
from mcmulti.domain.postal.components import FIELDS, STEP
from mcmulti.domain.postal.conditions import conditions as c
from mcmulti.domain.postal.conditions import quantities as q
from mcmulti.domain.postal.conditions.happenings import asset_deals, barrel_deals, rolls
from mcmulti.domain.postal.names import Deal, Outcome, Relation
from mcmulti.domain.postal.refereeing.assets import at, standing_at
from mcmulti.domain.postal.state import State

Figure = Annotated[int, Meta(ge=0, le=MOST)]
Found = Figure | Literal[EconomyName, Kind, Outcome]
"""A number, the climate, the asset on a site, or the outcome of a line."""


class Finding(Struct, frozen=True, gc=False, omit_defaults=True):
    """The result of one condition. `condition`: what was asked. `holds`: whether it was true.

    `value`: the actual value: a number, the climate, the asset on the site, or the outcome of the line; null if there
    is none. `other`: what a quantity was compared with, before anything is added to it.
    """

    condition: c.Condition
    value: Found | None
    holds: bool
    other: Figure | None = None


Findings = tuple[Finding, ...]


class Circumstances(NamedTuple):
    """The circumstances in which a seat's condition is evaluated. `events`: those of the round so far.

    `came_to`: the outcomes of the lines of phases 1 and 2 of its sheet that were reached.
    """

    state: State
    seat: int
    events: Sequence[object] = ()
    came_to: Mapping[int, Outcome] = {}

    def whose(self, seat: int | None) -> int:
        """A seat; the sheet's own if none is named."""
        return self.seat if seat is None else seat


def examine(now: Circumstances, condition: c.Condition) -> tuple[bool, Findings]:
    """Whether a condition holds, and the result of each of its parts, in reading order.

    Every part is evaluated, even if others have decided already, so that the report is complete.
    """
    if isinstance(condition, c.AllOf | c.AnyOf):
        parts = [examine(now, part) for part in condition.conditions]
        join = all if isinstance(condition, c.AllOf) else any
        return join(held for held, _ in parts), tuple(finding for _, findings in parts for finding in findings)
    if isinstance(condition, c.Not):
        held, findings = examine(now, condition.condition)
        return not held, findings
    finding = _compared(now, condition) if isinstance(condition, c.Compares) else _found(now, condition)
    return finding.holds, (finding,)


def next_price(state: State, deal: Deal, market: MarketName, good: Good) -> int | None:
    """The price of the next barrel, in millions of dollars; None if none can be bought, or sold."""
    free = state.market(market).free(good)
    prices = prices_to_buy(STEP[good], FIELDS, free) if deal == "buy" else prices_to_sell(STEP[good], free)
    return prices[0] if prices else None


def consumer_price(state: State) -> int | None:
    """What the next barrel brings at a pump, in millions of dollars; None if none can be sold (`postal/pump`)."""
    return state.consumer_price or None


def _compared(now: Circumstances, condition: c.Compares) -> Finding:
    first, other = (_VALUES[type(each)](now, each) for each in (condition.quantity, condition.other))
    if first is None or other is None:
        return Finding(condition, first, holds=False, other=other)
    return Finding(condition, first, _RELATIONS[condition.relation](first, other + condition.plus), other)


_RELATIONS: dict[Relation, Callable[[int, int], bool]] = {
    "more": gt,
    "at_least": ge,
    "equal": eq,
    "at_most": le,
    "less": lt,
}


def _found(now: Circumstances, condition: c.Condition) -> Finding:
    match condition:
        case c.ClimateIs():
            climate = now.state.economy
            return Finding(condition, climate, climate in condition.climates)
        case c.AssetAt():
            return _asset_at(now, condition)
        case c.LineWas():
            outcome = now.came_to.get(condition.line)
            wanted = ("in_full", "in_part") if condition.outcome is None else (condition.outcome,)
            return Finding(condition, outcome, outcome in wanted)
    if not isinstance(condition, c.Bounded):
        raise TypeError(f"{type(condition).__name__} does not ask for a figure")
    value = _VALUES[type(condition)](now, condition)
    least, most = condition.bounds
    held = value is not None and (least is None or value >= least) and (most is None or value <= most)
    return Finding(condition, value, held)


def _asset_at(now: Circumstances, condition: c.AssetAt) -> Finding:
    """An asset that was not hit is found, but does not match."""
    seat = now.whose(condition.seat)
    found = standing_at(now.state.quadrants[seat], at(seat, condition.plot))
    if found is None:
        return Finding(condition, None, holds=False)
    kind, site = found
    hit = not condition.hit or bool(now.state.hits[seat].standing(kind) & bit(site))
    return Finding(condition, kind, hit and condition.kind in (None, kind))


def _price(now: Circumstances, asked: c.PriceIs | q.PriceOf) -> int | None:
    return next_price(now.state, asked.deal, asked.market, asked.good)


def _cash(now: Circumstances, asked: c.CashIs | q.CashOf) -> int:
    return now.state.players[now.whose(asked.seat)].cash


def _barrels(now: Circumstances, asked: c.BarrelsAre | q.BarrelsOf) -> int:
    player = now.state.players[now.whose(asked.seat)]
    return player.crude if asked.good == "crude" else player.gasoline


def _assets(now: Circumstances, asked: c.AssetsAre | q.AssetsOf) -> int:
    pieces = now.state.pieces(now.whose(asked.seat))
    return sum(pieces.values()) if asked.kind is None else pieces[asked.kind]


_VALUES: dict[type[c.ConditionBase | q.QuantityBase], Callable[[Circumstances, Any], int | None]] = {
    c.PriceIs: _price,
    c.ConsumerPriceIs: lambda now, asked: consumer_price(now.state),
    c.CashIs: _cash,
    c.BarrelsAre: _barrels,
    c.AssetsAre: _assets,
    c.AssetDealsAre: lambda now, asked: asset_deals(now.events, asked),
    c.BarrelDealsAre: lambda now, asked: barrel_deals(now.events, asked),
    c.RollsAre: lambda now, asked: rolls(now.events, asked),
    c.ConversionsAre: lambda now, asked: now.state.conversions,
    c.ClimateChangesAre: lambda now, asked: now.state.climate_changes,
    c.RoundIs: lambda now, asked: now.state.round,
}
_VALUES |= {quantity: _VALUES[condition] for quantity, condition in c.ASKED.items()}
