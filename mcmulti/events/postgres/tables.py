"""SQL about games, composed for the tables of one database, or for a shard of a cluster; rows by name."""

from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from msgspec import Struct
from psycopg import sql


class TableNames(NamedTuple):
    """The names of the tables in the braces of a query about games."""

    game: str
    seat: str
    tenure: str
    event: str
    receipt: str
    question: str
    heartbeat: str
    notice: str
    chat_message: str
    chat_flag: str


HERE = TableNames(*TableNames._fields)
"""The tables of the database itself."""


class Bytea(bytes):
    """Bytes in a row, which PostgreSQL's JSON encodes in hexadecimal."""


class OfGame(Struct):
    """A row with the id of its game."""

    game_id: UUID


class GameMoment(Struct):
    """A row with a moment of its game."""

    at: datetime
    game_id: UUID


@lru_cache(maxsize=4096)
def composed(query: str, tables: TableNames = HERE, row: type[Any] | None = None) -> str:
    """A query with the names of tables inserted in its braces. For a `row`, as in `_columns_of`: its columns as
    `{columns}`, and parameters named like its fields as `{values}`.
    """
    of_row = {} if row is None else {"columns": _columns_of(row), "values": _columns_of(row, sql.Placeholder)}
    names = {table: sql.Identifier(name) for table, name in tables._asdict().items()}
    return sql.SQL(query).format(**names, **of_row).as_string()


def insertion(table: str, columns: tuple[str, ...]) -> str:
    """The statement that inserts a row of these columns; its parameters are named like them."""
    listed = [sql.SQL(", ").join(map(kind, columns)) for kind in (sql.Identifier, sql.Placeholder)]
    return sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(sql.Identifier(table), *listed).as_string()


def _columns_of(row: type[Any], listed: Callable[[str], sql.Composable] = sql.Identifier) -> sql.Composable:
    """The columns for the fields of a struct or named tuple, in order; a result row can be passed as `row(*values)`."""
    return sql.SQL(", ").join(map(listed, row.__match_args__))
