"""The table of what requests cost: measure it, write it, read it, and compare it with new measurements."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import astuple

from tests.guard.counting import counted
from tests.guard.requests import KINDS, Kind, Prepared
from tests.guard.server import Response, Server, server

TABLE = Path(__file__).with_name("table.md")
COMMAND = "make guard"
"""The command that writes the table."""
GROWTH = 3
"""Percent by which a count may exceed the table."""
SAVING = 10
"""Percent by which a count may fall below the table. Beyond that, the table must be rewritten to keep the gain."""
COLUMNS = ("calls", "files", "statements", "header bytes", "body bytes")
INTRODUCTION = f"""\
What requests cost, written by `{COMMAND}`: calls of Python functions in mcmulti, and in how many of its files; SQL
statements; bytes of the response, uncompressed. Caches of responses are empty. Everything else is warm.
"""


class Cost(Struct, frozen=True):
    """The cost of a request: calls of functions of mcmulti and the number of their files, SQL statements, bytes."""

    calls: int
    files: int
    statements: int
    header_bytes: int
    body_bytes: int


Costs = Mapping[str, Cost]
"""Costs by the name of the request."""


async def measured(database_url: str, kinds: Mapping[str, Prepared] = KINDS) -> dict[str, Cost]:
    """The cost of these requests on a server with an empty, migrated database."""
    async with server(database_url) as ours:
        return {name: await _cost(ours, await prepared(ours)) for name, prepared in kinds.items()}


async def _cost(ours: Server, kind: Kind) -> Cost:
    responses: list[Response] = []
    for request in kind.requests:

        async def send() -> None:
            responses.append(await ours.send(request))  # noqa: B023 - awaited here

        ours.forget()
        tally = await counted(send)
        assert responses[-1].status == kind.status, (request, responses[-1])
    last = responses[-1]
    header_bytes = sum(len(name) + len(value) + 4 for name, value in last.headers)
    return Cost(tally.calls.total(), len(tally.files), tally.statements, header_bytes, len(last.body))


def differences(measured: Costs, table: Costs) -> list[str]:
    """The measurements that differ too much from the table, one per line."""
    found = [f"{name}: not in the table" for name in measured.keys() - table.keys()]
    found += [f"{name}: in the table, but no longer measured" for name in table.keys() - measured.keys()]
    for name in measured.keys() & table.keys():
        counts = zip(COLUMNS, astuple(table[name]), astuple(measured[name]), strict=True)
        found += [f"{name}: {line}" for line in _too_far(counts)]
    return sorted(found)


def _too_far(counts: Iterator[tuple[str, int, int]]) -> Iterator[str]:
    for column, before, now in counts:
        if 100 * now > (100 + GROWTH) * before:
            yield f"{column} {before} -> {now}, more than {GROWTH} % above the table"
        elif 100 * now < (100 - SAVING) * before:
            yield f"{column} {before} -> {now}, more than {SAVING} % below the table: rewrite it to keep the gain"


def written(costs: Costs) -> str:
    """The table as text."""
    rows = [("request", *COLUMNS), *((name, *map(str, astuple(cost))) for name, cost in sorted(costs.items()))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rule = [f":{'-' * (widths[0] - 1)}", *(f"{'-' * (width - 1)}:" for width in widths[1:])]
    return "\n".join([INTRODUCTION, *(_line(row, widths) for row in (rows[0], rule, *rows[1:])), ""])


def _line(row: Sequence[str], widths: list[int]) -> str:
    name, *counts = row
    cells = [name.ljust(widths[0]), *(count.rjust(width) for count, width in zip(counts, widths[1:], strict=True))]
    return f"| {' | '.join(cells)} |"


def read(text: str) -> dict[str, Cost]:
    """The table that a text contains."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {name: Cost(*map(int, counts)) for name, *counts in rows[2:]}
