"""The standings after a round, as tables."""

from mcmulti.domain.core.capabilities.rounds.reports import Cell, ReportTable
from mcmulti.domain.oil.names import GOODS, KINDS, MARKETS
from mcmulti.domain.postal.components import CLIMATES
from mcmulti.domain.postal.conditions.findings import consumer_price, next_price
from mcmulti.domain.postal.shown.gauges import gauges
from mcmulti.domain.postal.shown.wording import Wording
from mcmulti.domain.postal.state import State


def tables(say: Wording, before: State, after: State) -> tuple[ReportTable, ...]:
    """Standing, assets, markets, and the bank. The richest player comes first."""
    ranked = sorted(range(len(after.players)), key=lambda seat: -after.players[seat].cash)
    return (
        _standing(say, before, after, ranked),
        _board(say, after, ranked),
        _markets(say, before, after),
        _bank(say, after),
    )


def _standing(say: Wording, before: State, after: State, ranked: list[int]) -> ReportTable:
    holdings = gauges(after).holdings
    columns = (
        say.fill("table.player"),
        say.fill("table.cash_before"),
        *(_heading(say, name) for name in ("cash", *GOODS)),
        say.fill("table.worth"),
    )
    rows = tuple(
        (say.who(seat), before.players[seat].cash, *has.amounts.values(), has.worth)
        for seat, has in ((seat, holdings[seat]) for seat in ranked)
    )
    return ReportTable(say.fill("table.standing"), columns, rows)


def _board(say: Wording, after: State, ranked: list[int]) -> ReportTable:
    columns = (say.fill("table.player"), *(_heading(say, f"{kind}s") for kind in ("rig", "well", "station")))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (say.who(seat), *(after.pieces(seat)[kind] for kind in KINDS)) for seat in ranked
    )
    return ReportTable(say.fill("table.board"), (*columns, _heading(say, "refineries")), rows)


def _markets(say: Wording, before: State, after: State) -> ReportTable:
    columns = tuple(say.fill(f"table.{name}") for name in ("barrel", "buy_before", "buy", "sell_before", "sell"))
    rows: list[tuple[Cell, ...]] = [
        (
            _heading(say, f"{market}_{good}"),
            *(next_price(state, "buy", market, good) for state in (before, after)),
            *(next_price(state, "sell", market, good) for state in (before, after)),
        )
        for market in MARKETS
        for good in GOODS
    ]
    prices = (consumer_price(state) for state in (before, after))
    return ReportTable(say.fill("table.markets"), columns, (*rows, (_heading(say, "consumers"), None, None, *prices)))


def _bank(say: Wording, after: State) -> ReportTable:
    climate = CLIMATES[after.economy]
    columns = tuple(say.fill(f"table.{name}") for name in ("asset", "buy", "sell"))
    rows = tuple((_heading(say, kind), climate.buy.get(kind), climate.sell[kind]) for kind in KINDS)
    return ReportTable(say.fill("table.bank"), columns, rows)


def _heading(say: Wording, name: str) -> str:
    said = say.word(name)
    return f"{said[:1].upper()}{said[1:]}"
