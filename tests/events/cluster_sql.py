"""What a Citus cluster refuses in a statement, judged by PostgreSQL's own analysis of it.

PostgreSQL prints a statement as it has analyzed it, with every function, operator, and cast identified by number. The
planner of Citus reads the same tree. So nothing here parses SQL, and types count: `at + %s` depends on the time zone of
the session if `at` is a `timestamptz`. The rules are those of docs/decisions/sql-for-clusters.md.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import psycopg
from psycopg.errors import Diagnostic

from mcmulti.events.cluster.citus import BY_GAME, EVERYWHERE

PRINT = "SET debug_print_parse = on; SET debug_pretty_print = off; SET client_min_messages = log"
"""From then on, the connection gets a notice with each statement that it has analyzed. `printed` reads it."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[(){}]|(?:[^\s(){}\\]|\\.)+', re.DOTALL)

# Kinds of queries, as printed.
_UPDATE, _INSERT, _DELETE = "2", "3", "4"

# Nodes that call a function, with the field that names it.
_CALLS = {
    "FUNCEXPR": "funcid",
    "OPEXPR": "opfuncid",
    "DISTINCTEXPR": "opfuncid",
    "NULLIFEXPR": "opfuncid",
    "SCALARARRAYOPEXPR": "opfuncid",
    "AGGREF": "aggfnoid",
    "WINDOWFUNC": "winfnoid",
}
_CONDITIONAL = {"CASEEXPR": "CASE", "COALESCEEXPR": "COALESCE"}

# Nodes whose values are cast to or from text, with the field that names their type.
_TYPES = {
    "VAR": "vartype",
    "PARAM": "paramtype",
    "CONST": "consttype",
    "FUNCEXPR": "funcresulttype",
    "OPEXPR": "opresulttype",
    "RELABELTYPE": "resulttype",
    "COERCEVIAIO": "resulttype",
}

# Values of pg_proc.provolatile. They compare by rank.
_IMMUTABLE, _STABLE = "i", "s"


class Node(NamedTuple):
    """A part of a statement: the values after each of its field names."""

    kind: str
    fields: dict[str, list[object]]

    def text(self, name: str) -> str:
        """A field that is a word or a number."""
        return str(self.fields[name][0])

    def parts(self, name: str) -> list["Node"]:
        """The nodes directly in a field."""
        return list(_nodes(self.fields.get(name, [])))

    def all(self) -> Iterator["Node"]:
        """This node and everything in it."""
        waiting: list[object] = [self]
        while waiting:
            value = waiting.pop()
            if isinstance(value, Node):
                yield value
                waiting += reversed(value.fields.values())
            elif isinstance(value, list):
                waiting += reversed(value)


def _nodes(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _nodes(one)


def printed(notice: Diagnostic) -> str | None:
    """The statement in a notice. None if the notice is about something else."""
    return notice.message_detail if notice.message_primary == "parse tree:" else None


def parsed(statement: str) -> Node:
    """A printed statement."""
    tokens = iter(_TOKEN.findall(statement))
    node = _value(next(tokens), tokens)
    assert isinstance(node, Node)
    return node


def _value(token: str, tokens: Iterator[str]) -> object:
    if token == "(":
        return [_value(one, tokens) for one in iter(lambda: next(tokens), ")")]
    if token != "{":
        return token
    node, values = Node(next(tokens), {}), list[object]()
    for one in iter(lambda: next(tokens), "}"):
        if one.startswith(":"):
            values = node.fields.setdefault(one[1:], [])
        else:
            values.append(_value(one, tokens))
    return node


_READ: dict[tuple[str, frozenset[str]], list[str]] = {}
"""Refusals by statement and by the numbers of the tables, which are the same in all copies of a database."""


class Function(NamedTuple):
    """Its signature, and its volatility: the first letter of immutable, stable, or volatile."""

    name: str
    volatility: str


class Table(NamedTuple):
    """A table of ours, with the names of its columns by number.

    `spread_by`: the column that determines where a row lives. None if every node has all rows.
    """

    name: str
    columns: Mapping[str, str]
    spread_by: str | None


@dataclass(frozen=True)
class Catalog:
    """The tables and functions of a database by number, and by type the functions that cast from and to text."""

    tables: Mapping[str, Table]
    functions: Mapping[str, Function]
    casts: Mapping[str, tuple[str, str]]

    @classmethod
    def of(cls, database: str) -> "Catalog":
        """The catalog of a migrated database. Its tables need not be distributed."""
        with psycopg.connect(database) as owner:
            tables = owner.execute(
                "SELECT attrelid::text, attrelid::regclass::text, json_object_agg(attnum, attname)"
                " FROM pg_attribute WHERE attrelid::regclass::text = ANY (%s) AND attnum > 0 GROUP BY attrelid",
                ([*BY_GAME, *EVERYWHERE],),
            ).fetchall()
            functions = owner.execute("SELECT oid::text, oid::regprocedure::text, provolatile::text FROM pg_proc")
            casts = owner.execute("SELECT oid::text, typinput::oid::text, typoutput::oid::text FROM pg_type")
            return cls(
                {number: Table(name, columns, BY_GAME.get(name)) for number, name, columns in tables},
                {number: Function(*function) for number, *function in functions},
                {number: (input_, output) for number, input_, output in casts},
            )

    def refusals(self, statement: str) -> list[str]:
        """Why a cluster refuses a printed statement, once the tables are distributed."""
        read = (statement, frozenset(self.tables))
        if read not in _READ:
            queries = [query for query in parsed(statement).all() if query.kind == "QUERY"]
            _READ[read] = [refusal for query in queries for refusal in _Query(self, query).refusals()]
        return _READ[read]

    def called(self, node: Node) -> list[Function]:
        """The functions that a node calls directly."""
        if node.kind in _CALLS:
            return [self.functions[node.text(_CALLS[node.kind])]]
        if node.kind == "COERCEVIAIO":
            [argument] = node.parts("arg")
            _, output = self.casts[argument.text(_TYPES[argument.kind])]
            input_, _ = self.casts[node.text("resulttype")]
            return [self.functions[output], self.functions[input_]]
        if node.kind == "SQLVALUEFUNCTION":
            return [Function("a keyword such as CURRENT_TIMESTAMP", _STABLE)]
        return []

    def above(self, volatility: str, nodes: Iterable[Node]) -> Iterator[str]:
        """The functions called anywhere in these nodes that are more volatile than this."""
        for node in nodes:
            for part in node.all():
                for function in self.called(part):
                    if function.volatility > volatility:
                        yield function.name


@dataclass(frozen=True)
class _Query:
    """A query, which may be a part of another."""

    catalog: Catalog
    query: Node

    def refusals(self) -> Iterator[str]:
        yield from self._locks()
        kind, changed = self.query.text("commandType"), self._changed
        if changed is None:
            return
        found: list[tuple[str, str]] = []
        if kind == _UPDATE:
            found += self._assigned(changed)
        if kind in (_UPDATE, _DELETE):
            found += [("WHERE", why) for join in self.query.parts("jointree") for why in self._by(join.parts("quals"))]
        returned = self.catalog.above(_IMMUTABLE, self.query.parts("returningList"))
        found += [("RETURNING", f"not IMMUTABLE: {function}") for function in returned]
        found += self._on_conflict(changed)
        yield from (f"{changed.name}: {where}: {why}" for where, why in found)

    @cached_property
    def _changed(self) -> Table | None:
        """The table that the query changes, if it is one of ours."""
        number = int(self.query.text("resultRelation"))
        return self._table(self.query.parts("rtable")[number - 1]) if number else None

    def _table(self, entry: Node) -> Table | None:
        return self.catalog.tables.get(entry.text("relid")) if "relid" in entry.fields else None

    def _locks(self) -> Iterator[str]:
        for node in self.query.all():
            for function in self.catalog.called(node):
                if function.name.startswith(("pg_advisory", "pg_try_advisory")):
                    yield f"a lock that other nodes do not know: {function.name}"
        for mark in self.query.parts("rowMarks"):
            number = mark.text("rti")
            table = self._table(self.query.parts("rtable")[int(number) - 1])
            if table is not None and table.spread_by is not None and not self._of_one_game(number, table):
                yield f"{table.name}: FOR UPDATE of several games"

    def _of_one_game(self, number: str, table: Table) -> bool:
        """Whether a condition fixes the game to one value."""
        conditions = [condition for join in self.query.parts("jointree") for condition in join.parts("quals")]
        while conditions:
            condition = conditions.pop()
            if condition.kind == "BOOLEXPR" and condition.text("boolop") == "and":
                conditions += condition.parts("args")
            elif [function.name for function in self.catalog.called(condition)] == ["uuid_eq(uuid,uuid)"]:
                left, right = condition.parts("args")
                for side, other in ((left, right), (right, left)):
                    if (
                        (side.kind, other.kind) in (("VAR", "PARAM"), ("VAR", "CONST"))
                        and side.text("varno") == number
                        and table.columns[side.text("varattno")] == table.spread_by
                    ):
                        return True
        return False

    def _assigned(self, changed: Table) -> Iterator[tuple[str, str]]:
        """Why new values of columns are refused."""
        for entry in self.query.parts("targetList"):
            if entry.text("resjunk") == "false":
                column = changed.columns[entry.text("resno")]
                if column == changed.spread_by:
                    yield column, "it says where the row lives"
                yield from ((column, why) for why in self._by(entry.parts("expr")))

    def _by(self, expressions: list[Node]) -> Iterator[str]:
        """Why these expressions cannot change rows."""
        yield from (f"VOLATILE: {function}" for function in self.catalog.above(_STABLE, expressions))
        for expression in expressions:
            yield from self._unknown_before_its_row(expression)

    def _unknown_before_its_row(self, node: Node) -> Iterator[str]:
        """Citus evaluates STABLE functions once for all nodes, so they must not use columns or be conditional."""
        if node.kind in _CONDITIONAL:
            for name in self.catalog.above(_IMMUTABLE, [node]):
                yield f"not IMMUTABLE, in {_CONDITIONAL[node.kind]}: {name}"
            return
        if any(part.kind == "VAR" for part in node.all()):
            for function in self.catalog.called(node):
                if function.volatility == _STABLE:
                    yield f"STABLE, of a column: {function.name}"
        for part in _nodes(list(node.fields.values())):
            yield from self._unknown_before_its_row(part)

    def _on_conflict(self, changed: Table) -> Iterator[tuple[str, str]]:
        for conflict in self.query.parts("onConflict"):
            if changed.spread_by is None:
                yield "ON CONFLICT", "the role of servers may not take the lock"
            for function in self.catalog.above(_IMMUTABLE, [conflict]):
                yield "ON CONFLICT", f"not IMMUTABLE: {function}"
