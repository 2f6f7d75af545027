"""The books of a game: ledger, balances, statements, flows, journals."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import TypeVar

from litestar import get
from litestar.params import FromPath
from msgspec import Struct, UnsetType
from msgspec.structs import astuple

from mcmulti.api.answers import Answer
from mcmulti.api.books_wire import (
    AccountBalance,
    Balances,
    Flows,
    Ledger,
    LedgerQuery,
    SpanQuery,
    Statements,
    UnitSum,
)
from mcmulti.api.caching import tag_of, unchanged
from mcmulti.api.contract import AnyRequest, Operation, accepted, encoded, query
from mcmulti.api.moments import A_DAY, MomentQuery, moment, shown
from mcmulti.api.service import service
from mcmulti.events.envelope import Recorded
from mcmulti.events.item import Seq
from mcmulti.events.positions import Position
from mcmulti.projections import journals
from mcmulti.projections.ledger import LedgerLine, Wanted, entries, lines, trial_balance
from mcmulti.projections.seats import names
from mcmulti.projections.statements import Flow, Span, Statement, flows, statements
from mcmulti.projections.tables import as_csv

CSV = "text/csv"
PLAIN = "text/plain"
PAGE = 100
"""Lines of a page in JSON, unless told."""
_PROBLEMS = ("unknown_game", "unknown_moment")

Events = Sequence[Recorded]
T = TypeVar("T")


def _table(id: str, summary: str, answer: type[Struct], asked: type[Struct]) -> Operation:
    """An operation that answers in JSON or CSV."""
    return Operation(
        id=id,
        tag="log",
        summary=summary,
        answer=answer,
        texts=(CSV,),
        query=asked,
        auth="optional",
        headers=("If-None-Match",),
        etag=True,
        problems=_PROBLEMS,
    )


def _journal(id: str, summary: str) -> Operation:
    return Operation(
        id=id,
        tag="log",
        summary=summary,
        json=False,
        texts=(PLAIN,),
        query=MomentQuery,
        auth="optional",
        headers=("If-None-Match",),
        etag=True,
        problems=_PROBLEMS,
    )


@get("/v1/games/{game:str}/ledger", opt={"operation": _table("getLedger", "Read the ledger", Ledger, LedgerQuery)})
async def get_ledger(request: AnyRequest, game: FromPath[str]) -> Answer:
    wanted = query(request, LedgerQuery)
    filter = Wanted(_given(wanted.account), _given(wanted.unit), _given(wanted.reason))

    def found(events: Events, limit: int | None) -> Iterable[LedgerLine]:
        admitted = (line for line in lines(entries(events)) if line.line > wanted.after and filter.admits(line))
        return islice(admitted, limit)

    def page(at: Position, events: Events) -> Ledger:
        limit = PAGE if isinstance(wanted.limit, UnsetType) else wanted.limit
        lines = tuple(found(events, limit + 1))
        next = lines[limit - 1].line if len(lines) > limit else None
        return Ledger(at.game_id, at.head.seq, at.head.hash.hex(), lines[:limit], next)

    def table(at: Position, events: Events) -> bytes:
        return as_csv(LedgerLine.__struct_fields__, map(astuple, found(events, _given(wanted.limit))))

    return await _answered(request, game, wanted.at, page, table)


@get(
    "/v1/games/{game:str}/balances",
    opt={"operation": _table("getBalances", "Balances of all accounts, and the trial balance", Balances, MomentQuery)},
)
async def get_balances(request: AnyRequest, game: FromPath[str]) -> Answer:
    def balances(at: Position, events: Events) -> Balances:
        found = trial_balance(events)
        return Balances(
            at.game_id,
            at.head.seq,
            at.head.hash.hex(),
            tuple(
                AccountBalance(account, unit, balance)
                for account, units in found.accounts.items()
                for unit, balance in units.items()
            ),
            tuple(UnitSum(unit, sum) for unit, sum in found.units.items()),
        )

    def table(at: Position, events: Events) -> bytes:
        return as_csv(AccountBalance.__struct_fields__, map(astuple, balances(at, events).balances))

    return await _answered(request, game, query(request, MomentQuery).at, balances, table)


@get(
    "/v1/games/{game:str}/statements",
    opt={"operation": _table("getStatements", "Statements of all players", Statements, SpanQuery)},
)
async def get_statements(request: AnyRequest, game: FromPath[str]) -> Answer:
    wanted = query(request, SpanQuery)

    def stated(at: Position, events: Events) -> Statements:
        called = names(at.ruleset, at.state)
        found = statements(entries(events), _span(wanted))
        return Statements(at.game_id, at.head.seq, at.head.hash.hex(), called, found)

    def table(at: Position, events: Events) -> bytes:
        answer = stated(at, events)
        rows = (
            (statement.seat, answer.names[statement.seat], statement.unit, *item)
            for statement in answer.statements
            for item in _items(statement)
        )
        return as_csv(("seat", "name", "unit", "item", "amount"), rows)

    return await _answered(request, game, wanted.at, stated, table)


@get(
    "/v1/games/{game:str}/flows",
    opt={"operation": _table("getFlows", "The flow matrix: who gave whom what, and what for", Flows, SpanQuery)},
)
async def get_flows(request: AnyRequest, game: FromPath[str]) -> Answer:
    wanted = query(request, SpanQuery)

    def flowed(at: Position, events: Events) -> Flows:
        return Flows(at.game_id, at.head.seq, at.head.hash.hex(), flows(entries(events), _span(wanted)))

    def table(at: Position, events: Events) -> bytes:
        return as_csv(Flow.__struct_fields__, map(astuple, flows(entries(events), _span(wanted))))

    return await _answered(request, game, wanted.at, flowed, table)


@get(
    "/v1/games/{game:str}/ledger.journal",
    opt={"operation": _journal("getHledgerJournal", "The ledger as a journal for hledger")},
)
async def get_hledger_journal(request: AnyRequest, game: FromPath[str]) -> Answer:
    def journal(at: Position, events: Events) -> bytes:
        return journals.text(journals.hledger(events))

    return await _answered(request, game, query(request, MomentQuery).at, journal, journal)


@get(
    "/v1/games/{game:str}/ledger.beancount",
    opt={"operation": _journal("getBeancountJournal", "The ledger as a journal for beancount")},
)
async def get_beancount_journal(request: AnyRequest, game: FromPath[str]) -> Answer:
    def journal(at: Position, events: Events) -> bytes:
        return journals.text(journals.beancount(events))

    return await _answered(request, game, query(request, MomentQuery).at, journal, journal)


async def _answered(
    request: AnyRequest,
    game: str,
    at: Seq | UnsetType,
    answer: Callable[[Position, Events], Struct | bytes],
    text: Callable[[Position, Events], bytes],
) -> Answer:
    """The books at a moment in the form that the client likes best; they are made beside the event loop."""
    wanted = await moment(request, game, at)
    position = wanted.position
    tag = tag_of(request, position.head)
    known = unchanged(request, tag)
    if known is not None:
        return known
    media_type = accepted(request)
    events = await service(request).log.read(position.game_id, limit=position.head.seq)

    def made() -> bytes:
        content = text(position, events) if media_type in (CSV, PLAIN) else answer(position, events)
        return content if isinstance(content, bytes) else encoded(content)

    return shown(request, wanted, await asyncio.to_thread(made), tag, media_type, past=A_DAY)


def _items(statement: Statement) -> Iterable[tuple[str, int]]:
    """The lines of a statement."""
    yield "opening", statement.opening
    yield from ((movement.reason, movement.amount) for movement in statement.movements)
    yield "closing", statement.closing


def _span(wanted: SpanQuery) -> Span:
    return Span(after=wanted.after, from_turn=wanted.from_turn, to_turn=wanted.to_turn)


def _given(value: T | UnsetType) -> T | None:
    return None if isinstance(value, UnsetType) else value
