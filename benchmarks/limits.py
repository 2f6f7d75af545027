"""The limits of Postgres at one append per transaction: pgbench, and psycopg by itself.

The tables are those of the log, in a schema of their own, with all their keys, indexes, and checks. An append is what
one command leads to: the game's head, its events in one statement, and the receipt.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from uuid import UUID

import psycopg
from psycopg.conninfo import conninfo_to_dict

from benchmarks.figures import Figure, Measure, Taken, say_clients
from benchmarks.processes import ProcessError, output
from benchmarks.sample import appends
from mcmulti.events.embedded.server import binaries
from mcmulti.events.log.envelope import Recorded

GAME = UUID(int=0)
TYPICAL = 2
"""Events per command, rounded."""
CLIENTS = (1, 16, 64)
ROW_LATENCY = Figure("psycopg, 1 client: one row in a transaction", "ms")
APPEND_LATENCY = Figure("psycopg, 1 client: what a command appends in a transaction", "ms")

PGBENCH = {clients: Figure(f"pgbench, {say_clients(clients)}", "appends/s") for clients in CLIENTS}
PIPELINED = Figure("pgbench, 64 clients, statements of an append in one pipeline", "appends/s")
FIGURES = (*PGBENCH.values(), PIPELINED, ROW_LATENCY, APPEND_LATENCY)
LATE = 30.0
"""Seconds that pgbench may run over its time."""
_ROW = "INSERT INTO bench.line (game_id, data) VALUES (%s, %s)"
_HEAD = "UPDATE bench.game SET head_seq = %s, head_hash = %s, status = 'running' WHERE id = %s AND head_seq = %s"
_EVENTS = """
    INSERT INTO bench.event
        (game_id, seq, type, data, rule, actor, command_id, command, recorded_at, prev_hash, hash)
    SELECT %s, seq, type, data::json, rule, actor, command_id, command::json, recorded_at, prev_hash, hash
    FROM unnest(%s::integer[], %s::text[], %s::text[], %s::text[], %s::smallint[], %s::uuid[], %s::text[],
        %s::timestamptz[], %s::bytea[], %s::bytea[])
        AS e (seq, type, data, rule, actor, command_id, command, recorded_at, prev_hash, hash)
"""
_RECEIPT = """
    INSERT INTO bench.receipt (game_id, player_id, key, request_hash, after_seq, seq, digest)
    VALUES (%s, %s, %s, %s, %s, %s, %s)
"""
_RATE = re.compile(r"tps = ([\d.]+)")

TABLES = """
    DROP SCHEMA IF EXISTS bench CASCADE;
    CREATE SCHEMA bench;
    CREATE TABLE bench.game (LIKE public.game INCLUDING ALL);
    CREATE TABLE bench.event (LIKE public.event INCLUDING ALL);
    CREATE TABLE bench.receipt (LIKE public.receipt INCLUDING ALL);
    CREATE TABLE bench.line (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, game_id uuid NOT NULL, data json NOT NULL
    );
"""
_EMPTY = """
    TRUNCATE bench.game, bench.event, bench.receipt;
    INSERT INTO bench.game (id, ruleset, version, status, head_seq, head_hash, created_at, moved_at, moved_minute)
    SELECT lpad(to_hex(number), 32, '0')::uuid, 'mcmulti', 1, 'running', 1, sha256(''), now(), now(), 0
    FROM generate_series(0, %s) AS number
"""
_KNOW_GAME = r"""
\if :fresh
SELECT lpad(to_hex(:client_id::int), 32, '0') AS game \gset
\set seq 1
\set fresh 0
\endif
"""
_APPEND = r"""
{begin}
BEGIN;
UPDATE bench.game SET head_seq = :seq + {events}, head_hash = {hash}, status = 'running'
WHERE id = :game::uuid AND head_seq = :seq;
INSERT INTO bench.event
    (game_id, seq, type, data, rule, actor, command_id, command, recorded_at, prev_hash, hash)
VALUES {rows};
INSERT INTO bench.receipt (game_id, player_id, key, request_hash, after_seq, seq, digest)
VALUES (:game::uuid, {player}, :seq, {hash}, :seq, :seq + {events}, substr({hash}::bytea, 1, 16));
COMMIT;
{end}
"""


def prepare(conninfo: str) -> None:
    """Make the tables that the limits are measured on, empty, beside those of the log."""
    with psycopg.connect(conninfo) as connection:
        connection.execute(TABLES)


def pgbench(conninfo: str, clients: int, seconds: float, pipelined: bool = False) -> Measure:
    """Appends per second by pgbench, with prepared statements and a game for each client.

    An append takes a round trip for each statement unless they are pipelined.
    """
    figure = PIPELINED if pipelined else PGBENCH[clients]
    sizes = Counter(map(len, appends()))
    typical = {len(events): events for events in appends()}
    where = conninfo_to_dict(conninfo)

    async def measure() -> Taken:
        with psycopg.connect(conninfo) as connection:
            connection.execute(_EMPTY.replace("%s", str(clients)))
        with TemporaryDirectory(prefix="mcmulti-benchmark-") as folder:
            scripts = []
            for size, weight in sizes.items():
                script = Path(folder) / f"append_{size}.sql"
                script.write_text(_KNOW_GAME + _script(typical[size], pipelined))
                scripts += ["-f", f"{script}@{weight}"]
            for more in (1, 4, 16):  # on a busy machine no append may have ended in a second
                lasting = max(1, round(seconds)) * more
                printed = await asyncio.to_thread(
                    output,
                    [
                        binaries() / "pgbench",
                        *("-n", "-M", "prepared", "-D", "fresh=1", *scripts),
                        *("-c", str(clients), "-j", str(min(clients, 2)), "-T", str(lasting)),
                        *("-h", str(where["host"]), "-U", str(where["user"]), str(where["dbname"])),
                    ],
                    lasting + LATE,
                )
                if found := _RATE.search(printed):
                    return {figure: float(found[1])}
        raise ProcessError(f"pgbench prints no rate: {printed}")

    return measure


def psycopg_alone(conninfo: str, seconds: float) -> Measure:
    """Milliseconds of an append over one connection: of one row, and of what a command appends, in one pipeline."""

    async def measure() -> Taken:
        with psycopg.connect(conninfo, autocommit=True, prepare_threshold=1) as connection:
            connection.execute(_EMPTY.replace("%s", "0"))
            row = _each(lambda number: connection.execute(_ROW, (GAME, "{}")), seconds / 2)
            events = min((events for events in appends() if len(events) == TYPICAL), key=lambda one: len(one[0].data))
            hashed = events[-1].hash
            columns = [list(column) for column in zip(*(event[2:-1] for event in events), strict=True)]
            columns[1] = [event.data.decode() for event in events]
            columns[5] = [event.command and event.command.decode() for event in events]

            def append(number: int) -> None:
                seqs = [number * TYPICAL + 2 + index for index in range(TYPICAL)]
                with connection.pipeline(), connection.transaction():
                    connection.execute(_HEAD, (seqs[-1], hashed, GAME, seqs[0] - 1))
                    connection.execute(_EVENTS, (GAME, seqs, *columns))
                    connection.execute(_RECEIPT, (GAME, GAME, str(number), hashed, seqs[0] - 1, seqs[-1], hashed[:16]))

            return {ROW_LATENCY: 1000 * row, APPEND_LATENCY: 1000 * _each(append, seconds / 2)}

    return measure


def _each(work: Callable[[int], object], seconds: float) -> float:
    """Seconds of one piece of work, repeated for this long."""
    start, number = perf_counter(), 0
    while perf_counter() - start < seconds:
        work(number)
        number += 1
    return (perf_counter() - start) / number


def _script(events: Sequence[Recorded], pipelined: bool) -> str:
    rows = [
        f"(:game::uuid, :seq + {number}, '{event.type}', {_quoted(event.data)}, '{event.rule}', "
        f"{_known(event.actor)}, '{event.command_id}', {_quoted(event.command)}, now(), "
        f"{_hex(event.prev_hash)}, {_hex(event.hash)})"
        for number, event in enumerate(events, 1)
    ]
    written = _APPEND.format(
        begin=r"\startpipeline" if pipelined else "",
        end=r"\endpipeline" if pipelined else "",
        events=len(events),
        hash=_hex(events[-1].hash),
        rows=", ".join(row.replace("\n", " ") for row in rows),
        player=f"'{UUID(int=1)}'",
    )
    return f"{written}\\set seq :seq + {len(events)}\n"


def _quoted(json: bytes | None) -> str:
    if json is None:
        return "NULL"
    spaced = json.decode().replace("'", "''").replace(":", ": ")  # pgbench would take ":1" for a variable
    return f"'{spaced}'"


def _known(actor: int | None) -> str:
    return "NULL" if actor is None else str(actor)


def _hex(value: bytes) -> str:
    return f"'\\x{value.hex()}'"
