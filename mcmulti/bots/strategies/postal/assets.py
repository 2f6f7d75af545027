"""A tycoon's phase 1: what it sells, converts, and buys in each climate that its turn may come in."""

import json
from dataclasses import dataclass, field
from typing import Any

from mcmulti.bots.strategies.almanac import Kind
from mcmulti.bots.strategies.field import Ground
from mcmulti.bots.strategies.postal.climates import price, reachable
from mcmulti.bots.strategies.postal.lines import (
    buy_asset,
    cash_from,
    climate_is,
    convert_rig,
    count,
    if_order,
    plot,
    sell_asset,
)
from mcmulti.bots.strategies.postal.outlook import PostalOutlook, in_climate
from mcmulti.client.json_object import Json

LUCK = 120
"""How much more cash than now to hope for when the turn comes."""
LINES = 150
"""The most lines of phase 1: a sheet has 200."""
WISHES = 2
"""How many assets are ordered beyond the available cash, in case others' rolls bring more."""
BUYABLE: tuple[Kind, ...] = ("rig", "station", "refinery")


@dataclass
class Plan:
    """Lines for phase 1, and what they leave: cash, and the assets on the board."""

    lines: list[Json]
    cash: int
    assets: list[dict[str, Any]]
    wishes: list[Json] = field(default_factory=list)

    def all_lines(self) -> list[Json]:
        """Certain purchases, then those that others' rolls may make possible."""
        return [*self.lines, *self.wishes]


def orders(outlook: PostalOutlook) -> list[Json]:
    """Phase 1. Climates with the same lines share them; without a condition if only one climate is possible."""
    eyes = type(outlook)
    alike: dict[str, list[str]] = {}
    room = LINES
    for climate in reachable(outlook.card, outlook.changes_before):
        lines = plan(eyes(in_climate(outlook.view, climate))).all_lines()
        room -= 1 + count(lines)
        if room < 0:
            break  # the remaining climates are the least likely
        alike.setdefault(json.dumps(lines), []).append(climate)
    if len(alike) == 1:
        (only,) = alike
        lines = json.loads(only)
        return list(lines)
    return [if_order(climate_is(*climates), json.loads(lines)) for lines, climates in alike.items() if lines != "[]"]


def plan(outlook: PostalOutlook) -> Plan:
    """Phase 1 in the outlook's climate: everything for the target if it is near, otherwise sell, convert, buy."""
    everything = sum(_sells(outlook, asset) for asset in outlook.hits)
    usual = _usual(outlook)
    if not outlook.hits or outlook.cash + everything + LUCK * (outlook.turns_before > 0) < outlook.target:
        return usual
    last = [_sale(asset) for asset in outlook.hits]
    if outlook.cash + everything >= outlook.target:
        return Plan(last, outlook.cash + everything, outlook.assets)
    enough = cash_from(outlook.target - everything)
    return Plan([if_order(enough, last, usual.all_lines())], usual.cash, usual.assets)


def _usual(outlook: PostalOutlook) -> Plan:
    struck = outlook.view["orders"][outlook.view["you"]]["strike"]
    converts, gain = False, 0.0
    if struck is not None:
        gain = outlook.keep("well") - max(outlook.keep("rig"), outlook.almanac.cards[outlook.card].sells["rig"])
        converts = gain > outlook.strike_price
    sold = [
        asset
        for asset in sorted(outlook.hits, key=lambda asset: -_sells(outlook, asset))
        if _sells(outlook, asset) >= outlook.clinging * outlook.keep(asset["kind"])
        and not (converts and asset["site"] == struck)
    ]
    cash = outlook.cash + sum(_sells(outlook, asset) for asset in sold)
    lines = [_sale(asset) for asset in sold]
    assets = [asset for asset in outlook.assets if asset not in sold]
    if converts:
        most = int(gain) // 10 - 1
        surely = outlook.turns_before == 0
        order = convert_rig((struck["row"], struck["column"]))
        lines.append(order if surely else if_order({"type": "ConversionsAre", "at_most": most}, [order]))
        if cash >= outlook.strike_price:
            cash -= outlook.strike_price
            assets = [asset | {"kind": "well"} if asset["site"] == struck else asset for asset in assets]
    return _buying(outlook, Plan(lines, cash, assets))


def _buying(outlook: PostalOutlook, plan: Plan) -> Plan:
    """The best value for money first, each on the most suitable site; only the first of them are affordable."""
    ground = Ground(plan.assets)
    more: dict[Kind, int] = {}
    while len(plan.wishes) < (WISHES if outlook.turns_before else 1):
        best: Kind | None = None
        most = 0.0
        for kind in BUYABLE:
            enough = kind == "rig" and ground.count("rig") >= outlook.most_rigs
            if enough or ground.place(kind) is None or (plan.wishes and kind == "rig"):
                continue
            costs = price(kind, outlook.card)
            affordable = plan.cash - outlook.reserve >= costs
            appeal = outlook.appeal(kind, more.get(kind, 0))
            if appeal > most and (affordable or costs <= plan.cash - outlook.reserve + LUCK):
                best, most = kind, appeal
        if best is None:
            return plan
        costs = price(best, outlook.card)
        place = ground.build(best)
        more[best] = more.get(best, 0) + 1
        if plan.cash - outlook.reserve >= costs and not plan.wishes:
            plan.lines.append(buy_asset(best, place))
            plan.cash -= costs
            plan.assets = [*plan.assets, {"kind": best, "site": plot(place), "idle": False}]
        elif not outlook.turns_before:
            return plan
        else:
            plan.wishes.append(if_order(cash_from(costs + outlook.reserve), [buy_asset(best, place)]))
    return plan


def _sells(outlook: PostalOutlook, asset: dict[str, Any]) -> int:
    return outlook.almanac.cards[outlook.card].sells[asset["kind"]]


def _sale(asset: dict[str, Any]) -> Json:
    return sell_asset(asset["kind"], (asset["site"]["row"], asset["site"]["column"]))
