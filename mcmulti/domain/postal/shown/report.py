"""The report of a round, as the referee writes it to the players."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from mcmulti.domain.core.capabilities.rounds import Cell, Entry, Past, ReportTable, RoundReport, Section
from mcmulti.domain.core.table import SeedRevealed
from mcmulti.domain.core.wording.telling import Language
from mcmulti.domain.oil.names import GOODS, KINDS, MARKETS
from mcmulti.domain.oil.rules.ending import AssetsLiquidated, GameStoodStill
from mcmulti.domain.postal.components import CLIMATES
from mcmulti.domain.postal.conditions.findings import consumer_price, next_price
from mcmulti.domain.postal.notation.vocabulary import PLAYERS
from mcmulti.domain.postal.refereeing.assets import strike_cost
from mcmulti.domain.postal.refereeing.carrying_out import ConditionChecked
from mcmulti.domain.postal.refereeing.dice import ClimateChanged, DiceRolled
from mcmulti.domain.postal.refereeing.ending import GameFinished
from mcmulti.domain.postal.refereeing.production import OperationBegan
from mcmulti.domain.postal.refereeing.refereeing import TurnBegan
from mcmulti.domain.postal.sheets.tracing import unreached
from mcmulti.domain.postal.shown.gauges import gauges
from mcmulti.domain.postal.shown.report_entries import Moment, Reporter
from mcmulti.domain.postal.shown.wording import Wording
from mcmulti.domain.postal.state import State

_SITE = re.compile(r"\b[A-F][1-6]\b")
_PLAYER = re.compile(r"\b[A-D]\b")
_END = (GameStoodStill, AssetsLiquidated, GameFinished, SeedRevealed)


def report(before: State, events: Sequence[Past], language: Language) -> RoundReport:
    """The report of a refereed round; `before` is the state before its first event.

    Every event is an entry, in the order of the game. While the game goes on, it reveals no more of a sheet than the
    events do (`postal/orders`).
    """
    moments: list[Moment] = []
    state = before
    for past in events:
        moments.append(Moment(past, state))
        state = past.event.evolve(state)
    say = Wording(state, language)
    over = state.phase == "over"
    sections = tuple(_sections(say, state, moments, language))
    return RoundReport(
        state.round,
        say.fill("letter.title", round=state.round),
        say.fill("letter.greeting", names=say.everybody(range(len(state.players)))),
        _headline(say, state),
        (*_summary(say, before, state, events), *_legend(say, state, sections)),
        sections,
        tables(say, before, state),
        say.fill(f"letter.{'over' if over else 'awaited'}", round=state.round + 1),
        state.winners,
    )


def _headline(say: Wording, after: State) -> str:
    if after.winners:
        who = say.listing([say.who(winner) for winner in after.winners])
        name = "won" if len(after.winners) == 1 else "shared"
        return say.fill(f"letter.{name}", who=who, cash=say.money(after.players[after.winners[0]].cash))
    most = max(player.cash for player in after.players)
    leaders = [seat for seat, player in enumerate(after.players) if player.cash == most]
    return say.fill(f"letter.lead{'s' if len(leaders) == 1 else ''}", who=say.everybody(leaders), cash=say.money(most))


def _summary(say: Wording, before: State, after: State, events: Sequence[Past]) -> Iterator[str]:
    climates = [past.event.after for past in events if isinstance(past.event, ClimateChanged)]
    yield say.fill(
        f"climate.{('stays', 'once', 'twice')[len(climates)]}",
        before=say.word(before.economy),
        between=say.word(climates[0] if climates else before.economy),
        after=say.word(after.economy),
    )
    prices = before.consumer_price, after.consumer_price
    name = "nothing" if not prices[1] else "same" if prices[0] == prices[1] else "other"
    yield say.fill(f"consumers.{name}", before=say.money(prices[0]), after=say.money(prices[1]))
    if not after.winners:
        yield say.fill("strike.cost", price=say.money(strike_cost(after)))


def _legend(say: Wording, after: State, sections: Sequence[Section]) -> Iterator[str]:
    """The meanings of the letters in lines of orders."""
    lines = " ".join([entry.written or "" for section in sections for entry in section.entries])
    if _SITE.search(lines):
        yield say.fill("legend.sites")
    if _PLAYER.search(lines):
        named = zip(PLAYERS, range(len(after.players)), strict=False)
        players = [say.fill("legend.player", letter=letter, who=say.who(seat)) for letter, seat in named]
        yield say.fill("legend.players", players=say.listing(players))


def _sections(say: Wording, after: State, moments: Sequence[Moment], language: Language) -> Iterator[Section]:
    """Events before the first turn, the turns, the end."""
    reporter = Reporter(after, language)
    played: list[int] = []

    def part(moment: Moment) -> int:
        if isinstance(moment.event, TurnBegan):
            played.append(moment.event.seat or 0)
        return -1 if isinstance(moment.event, _END) else len(played)

    for number, group in groupby(moments, part):
        inside = list(group)
        if number == 0:
            yield Section(say.fill("letter.orders"), None, tuple(reporter.entries(None, inside)))
        elif number > 0:
            seat = played[number - 1]
            entries = tuple(reporter.entries(seat, inside))
            yield Section(say.who(seat), seat, entries, tuple(_notes(say, after, seat, inside, entries)))
        else:
            waiting = [say.who(seat) for seat in after.order if seat not in played]
            notes = (say.fill("note.unplayed", who=say.listing(waiting)),) if waiting else ()
            yield Section(say.fill("letter.end"), None, tuple(reporter.entries(None, inside)), notes)


def _notes(
    say: Wording,
    after: State,
    seat: int,
    inside: Sequence[Moment],
    entries: Sequence[Entry],
) -> Iterator[str]:
    """Dice that hit nothing, and what the end of the game prevented; after it all sheets are open."""
    happened = [moment.event for moment in inside]
    kinds = {type(event) for event in happened}
    if DiceRolled in kinds and OperationBegan not in kinds:
        yield say.fill("note.no_hits")
    sheet = after.sheets[seat]
    if sheet is None or not after.winners:
        return
    checked = [event for event in happened if isinstance(event, ConditionChecked) and event.seat == seat]
    missed = unreached(sheet, [entry for entry in entries if entry.seat == seat], checked)
    if missed:
        yield say.fill("note.unreached", lines=say.lines(missed[0], len(missed)))


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
