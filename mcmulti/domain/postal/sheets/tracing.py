"""Which lines of a sheet a round reached, and which line caused each event."""

from collections.abc import Mapping, Sequence
from typing import Any

from mcmulti.domain.core.capabilities.rounds import Entry
from mcmulti.domain.oil.rules.assets import AssetBought
from mcmulti.domain.oil.rules.trading import BarrelsBought, BarrelsSold
from mcmulti.domain.postal.names import Outcome
from mcmulti.domain.postal.refereeing.acting import OrderSkipped
from mcmulti.domain.postal.refereeing.assets import AssetSold, RigConverted
from mcmulti.domain.postal.refereeing.carrying_out import ConditionChecked, OrdersOpened
from mcmulti.domain.postal.sheets.sheet import (
    IfLine,
    IfOrder,
    IfTrade,
    OpenedLine,
    OrderBase,
    OrderSheet,
    SellAtPumps,
    branches,
    lines,
    walk,
)

_TELLING = (AssetBought, AssetSold, RigConverted, BarrelsBought, BarrelsSold, OrderSkipped)
"""The events to which a line of phases 1 and 2 leads: when it is carried out, or skipped."""


def placed(sheet: OrderSheet) -> dict[int, Any]:
    """Every line of a sheet, by its number."""
    return {place.line: place.node for place in walk(sheet) if isinstance(place.node, OrderBase)}


def reached(sheet: OrderSheet, came_to: Mapping[int, Outcome]) -> tuple[OpenedLine, ...]:
    """The lines that were reached in a player's phases 1 and 2, in reading order; `came_to`: the outcome of each."""
    trades = lines(sheet.orders) + 1
    return tuple(
        OpenedLine(
            line,
            1 if line < trades else 2,
            IfLine(order.condition) if isinstance(order, IfOrder | IfTrade) else order,
            came_to[line],
        )
        for line, order in placed(sheet).items()
        if line in came_to
    )


def traced(opened: OrdersOpened, events: Sequence[Any]) -> dict[int, int]:
    """The lines that caused the events of a player's own phases 1 and 2, by the index of the event."""
    told = [number for number, event in enumerate(events) if isinstance(event, _TELLING)]
    return dict(zip(told, (each.line for each in opened.lines if not isinstance(each.order, IfLine)), strict=False))


def unreached(sheet: OrderSheet, told: Sequence[Entry], checked: Sequence[ConditionChecked]) -> tuple[int, ...]:
    """The lines of phases 1 and 2 that were not reached because the round ended: no entry shows them, and no condition
    excluded them.

    `checked`: the conditions of the sheet that were evaluated.
    """
    known = {entry.line for entry in told}
    orders = placed(sheet)
    for event in checked:
        if isinstance(orders[event.line], IfOrder | IfTrade):
            then, otherwise = map(lines, branches(orders[event.line]))
            first = event.line + 1 + (then if event.holds else 0)
            known.update(range(first, first + (otherwise if event.holds else then)))
    return tuple(line for line in range(1, first_for_pumps(sheet)) if line not in known)


def first_for_pumps(sheet: OrderSheet) -> int:
    """The line in which phase 3 begins."""
    return lines(sheet.orders) + lines(sheet.trades) + 1


def orders_pumps(sheet: OrderSheet) -> bool:
    """Whether the sheet has instructions for pumps."""
    return sheet.pumps != SellAtPumps()
