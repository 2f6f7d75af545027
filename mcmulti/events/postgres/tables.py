"""SQL about games: composed for the tables of one database, or for those of a part of a cluster; rows by name."""

from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct
from psycopg import sql


class TableNames(NamedTuple):
    """What the tables are called that a query of games names in braces."""

    game: str
    seat: str
    tenure: str
    event: str
    receipt: str
    question: str
    heartbeat: str
    notice: str


HERE = TableNames(*TableNames._fields)
"""The tables of the database itself."""


class Bytea(bytes):
    """Bytes in a row, which JSON of PostgreSQL has in hexadecimal digits."""


@lru_cache(maxsize=4096)
def composed(query: str, tables: TableNames = HERE, row: type[Struct] | None = None) -> str:
    """A query of ours with the names of tables, and as `{columns}` those of a row, in place of its braces."""
    columns = sql.SQL("") if row is None else columns_of(row)
    return sql.SQL(query).format(**identifiers(tables), columns=columns).as_string()


def identifiers(tables: TableNames) -> dict[str, sql.Identifier]:
    """The names of tables as a query takes them."""
    return {table: sql.Identifier(name) for table, name in tables._asdict().items()}


def columns_of(row: type[Struct]) -> sql.Composable:
    """The columns that the fields of a struct are called by, in their order: what they hold is `row(*values)`."""
    return sql.SQL(", ").join(map(sql.Identifier, row.__struct_fields__))
