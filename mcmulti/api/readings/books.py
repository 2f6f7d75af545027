"""The books of a game: ledger, balances, statements, flows, journals."""

from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing
from itertools import islice
from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import astuple

from mcmulti.api.caching.moments import MomentQuery, lasting, made_once, moment
from mcmulti.api.caching.representation import A_DAY, Representation
from mcmulti.api.http.answers import Answer
from mcmulti.api.http.contract import DEAR, Call, Facts, operation
from mcmulti.api.http.received import Tags, given
from mcmulti.domain.core.course.posting import Account, Amount, Reason, Unit
from mcmulti.domain.core.figures import MOST, MOST_SEATS, Count, SeatName
from mcmulti.events.log.item import AtMoment, Seq
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.accounts import Player
from mcmulti.projections.books.bookings import Closing
from mcmulti.projections.books.journals import Beancount, Hledger, Journal, text
from mcmulti.projections.books.ledger import Daybook, JournalEntry, LedgerLine, Wanted, balanced, lines
from mcmulti.projections.books.statements import BookSpan, Flow, Statement, flows, statements
from mcmulti.projections.books.tables import as_csv, csv_pieces
from mcmulti.projections.fold import Growing

PlayerNames = Annotated[
    tuple[SeatName | None, ...],
    Meta(
        max_length=MOST_SEATS,
        description="Names of the players by seat; null if the seat is empty or the name unknown.",
    ),
]
CSV = "text/csv"
PLAIN = "text/plain"
PAGE = 100
"""The default number of lines on a JSON page."""
Booked = Growing[JournalEntry]


class Ledger(AtMoment, frozen=True):
    """A page of the books after event `seq`.

    `lines`: in the order of the game. `next`: continues the page as ``after``, null at the end.
    """

    lines: Annotated[tuple[LedgerLine, ...], Meta(max_length=1000)]
    next: Count | None


class AccountBalance(Struct, frozen=True):
    """The balance of an account in a unit.

    `balance`: how much; negative for an account that gave more than it got, such as the bank.
    """

    account: Account
    unit: Unit
    balance: Amount


class UnitSum(Struct, frozen=True):
    """The sum of all accounts in a unit.

    `sum`: zero in sound books.
    """

    unit: Unit
    sum: Amount


class Balances(AtMoment, frozen=True):
    """Every account after event `seq`, and the trial balance.

    `balances`: the balance of each account, for each unit that it ever held. `trial_balance`: the sum of all accounts,
    unit by unit.
    """

    balances: tuple[AccountBalance, ...]
    trial_balance: tuple[UnitSum, ...]


class Statements(AtMoment, frozen=True):
    """What every player had of each unit before the span, income and spending by reason, and what was left.

    `statements`: one for each seat and unit.
    """

    names: PlayerNames
    statements: tuple[Statement, ...]


class Flows(AtMoment, frozen=True):
    """Flows in the span: from whom, to whom, how much, and why.

    `flows`: in the order in which they first happened.
    """

    flows: tuple[Flow, ...]


class LedgerQuery(MomentQuery, frozen=True, forbid_unknown_fields=True):
    """`at`: the books after this event instead of now. `after`: only lines after the one with this number. `limit`: the
    most lines; by default 100 in JSON, and all in CSV. `account`: only this account and its subaccounts, such as
    `seat:0`. `unit`: only lines in this unit. `reason`: only lines with this reason.
    """

    after: Count = 0
    limit: Annotated[int, Meta(ge=1, le=1000)] | UnsetType = UNSET
    account: Account | UnsetType = UNSET
    unit: Unit | UnsetType = UNSET
    reason: Reason | UnsetType = UNSET


class SpanQuery(MomentQuery, frozen=True, forbid_unknown_fields=True):
    """`at`: up to this event instead of now. `after`: what happened up to this event is in the opening balances.
    `from_turn`: so is what happened before this turn; turn 0 is before the first turn. `to_turn`: nothing after this
    turn.
    """

    after: Seq = 0
    from_turn: Count = 0
    to_turn: Count = MOST


def _book(summary: str, answer: type[Struct] | None, *, named: bool = False) -> Facts:
    """An operation with JSON or CSV responses; without an `answer`, with text. `named`: they contain players' names."""
    facts: Facts = {"tag": "log", "summary": summary, "cost": DEAR, "readers": "all", "named": named}
    if answer is None:
        return {**facts, "texts": (PLAIN,)}
    return {**facts, "answer": answer, "texts": (CSV,)}


@operation("GET", "/v1/games/{game}/ledger", **_book("Read the ledger", Ledger))
async def get_ledger(call: Call, query: LedgerQuery, caller: Player | None, game: UUID, if_none_match: Tags) -> Answer:
    """Double-entry bookkeeping: everything that is counted, from account to account, line by line, with rule and
    reason. Line numbers never change, so a page continues after its last line.
    """
    filter = Wanted(given(query.account, None), given(query.unit, None), given(query.reason, None))

    def found(books: Booked, limit: int | None) -> Iterable[LedgerLine]:
        admitted = (line for line in lines(books) if line.line > query.after and filter.admits(line))
        return islice(admitted, limit)

    def page(at: Position, books: Booked) -> Ledger:
        limit = given(query.limit, PAGE)
        lines = tuple(found(books, limit + 1))
        next = lines[limit - 1].line if len(lines) > limit else None
        return Ledger(at.game_id, at.head.seq, at.head.hash.hex(), lines[:limit], next)

    if call.media_type != CSV:
        return await _answered(call, game, query.at, if_none_match, page)
    wanted = await moment(call, game, query.at)
    told = Representation(call, wanted)
    if known := told.unchanged(if_none_match):
        return known
    books = await call.service.folds.reach(wanted.position, Daybook, Daybook)
    rows = map(astuple, found(books.entries, given(query.limit, None)))
    pieces = csv_pieces(LedgerLine.__struct_fields__, rows)

    async def written() -> AsyncGenerator[bytes, None]:
        while piece := await call.service.apart(next, pieces, b""):
            yield piece

    return told.streamed(written(), lasting(wanted, A_DAY))


@operation(
    "GET",
    "/v1/games/{game}/balances",
    **_book("Read the balances of all accounts, and the trial balance", Balances),
)
async def get_balances(
    call: Call, query: MomentQuery, caller: Player | None, game: UUID, if_none_match: Tags
) -> Answer:
    """Returns the balance of every account. The trial balance is the sum over all accounts, and is zero in
    every unit.
    """

    def balances(at: Position, books: Booked) -> Balances:
        found = balanced(books)
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

    def table(at: Position, books: Booked) -> bytes:
        return as_csv(AccountBalance.__struct_fields__, map(astuple, balances(at, books).balances))

    return await _answered(call, game, query.at, if_none_match, balances, table)


@operation(
    "GET",
    "/v1/games/{game}/statements",
    **_book("Read the statements of all players", Statements, named=True),
)
async def get_statements(
    call: Call, query: SpanQuery, caller: Player | None, game: UUID, if_none_match: Tags
) -> Answer:
    """Returns, for every player and unit, the opening balance, income and spending for each reason, and the closing
    balance, which is their sum. Covers the complete game, or a span of events or turns.
    """

    def stated(at: Position, books: Booked) -> Statements:
        called = at.ruleset.outcome(at.state).names
        found = statements(books, _span(query))
        return Statements(at.game_id, at.head.seq, at.head.hash.hex(), called, found)

    def table(at: Position, books: Booked) -> bytes:
        answer = stated(at, books)
        rows = (
            (statement.seat, answer.names[statement.seat] or "", statement.unit, *item)
            for statement in answer.statements
            for item in _items(statement)
        )
        return as_csv(("seat", "name", "unit", "item", "amount"), rows)

    return await _answered(call, game, query.at, if_none_match, stated, table)


@operation(
    "GET",
    "/v1/games/{game}/flows",
    **_book("Read the flow matrix: who paid whom, how much, and why", Flows),
)
async def get_flows(call: Call, query: SpanQuery, caller: Player | None, game: UUID, if_none_match: Tags) -> Answer:
    """Returns all transfers of a span, added up by source, target, unit, and reason."""

    def flowed(at: Position, books: Booked) -> Flows:
        return Flows(at.game_id, at.head.seq, at.head.hash.hex(), flows(books, _span(query)))

    def table(at: Position, books: Booked) -> bytes:
        return as_csv(Flow.__struct_fields__, map(astuple, flows(books, _span(query))))

    return await _answered(call, game, query.at, if_none_match, flowed, table)


@operation(
    "GET",
    "/v1/games/{game}/ledger.journal",
    **_book("Export the ledger as an hledger journal", None, named=True),
)
async def get_hledger_journal(
    call: Call, query: MomentQuery, caller: Player | None, game: UUID, if_none_match: Tags
) -> Answer:
    """Every event is a transaction on a day of its own, and every posting asserts the resulting balance. The journal
    passes `hledger check --strict`, and fails it if an amount is changed.
    """

    return await _journal_of(call, game, query.at, if_none_match, Hledger)


@operation(
    "GET",
    "/v1/games/{game}/ledger.beancount",
    **_book("Export the ledger as a beancount journal", None, named=True),
)
async def get_beancount_journal(
    call: Call, query: MomentQuery, caller: Player | None, game: UUID, if_none_match: Tags
) -> Answer:
    """Every event is a transaction on a day of its own. The next day asserts the balance of every account that it
    touched. The journal passes `bean-check`, and fails it if an amount is changed.
    """

    return await _journal_of(call, game, query.at, if_none_match, Beancount)


async def _answered(
    call: Call,
    game: UUID,
    at: Seq | UnsetType,
    if_none_match: Tags,
    answer: Callable[[Position, Booked], Struct | bytes],
    table: Callable[[Position, Booked], bytes] | None = None,
) -> Answer:
    """The books at a moment in the client's preferred format, made in a thread."""
    wanted = await moment(call, game, at)
    position = wanted.position

    async def made() -> Struct | bytes:
        books = await call.service.folds.reach(position, Daybook, Daybook)
        write = table if table is not None and call.media_type == CSV else answer
        return await call.service.apart(write, position, books.entries)

    return await made_once(call, wanted, if_none_match, made, lasting(wanted, A_DAY))


async def _journal_of(call: Call, game: UUID, at: Seq | UnsetType, if_none_match: Tags, begun: type[Journal]) -> Answer:
    """A journal up to a moment, written piece by piece. The whole log is checked first."""
    wanted = await moment(call, game, at)
    told = Representation(call, wanted)
    if known := told.unchanged(if_none_match):
        return known
    position, folds = wanted.position, call.service.folds
    closing = Closing()
    held = await folds.check(position, closing.book)
    journal = begun(closing, game, position.head.seq, wanted.called)

    async def written() -> AsyncGenerator[bytes, None]:
        pieces = folds.written(position, lambda events: text(journal.write(events)), held, text(journal.opening()))
        async with aclosing(pieces):
            async for piece in pieces:
                yield piece
        yield text(journal.ending())

    return told.streamed(written(), lasting(wanted, A_DAY))


def _items(statement: Statement) -> Iterable[tuple[str, int]]:
    """The lines of a statement."""
    yield "opening", statement.opening
    yield from ((movement.reason, movement.amount) for movement in statement.movements)
    yield "closing", statement.closing


def _span(wanted: SpanQuery) -> BookSpan:
    return BookSpan(after=wanted.after, from_turn=wanted.from_turn, to_turn=wanted.to_turn)
