"""A grammar as the guides write it, and texts that follow from it."""

import re
from random import Random
from typing import Any, NamedTuple

_TOKEN = re.compile(r'"(?P<word>[^"]+)"(?:\.\."(?P<last>[^"]+)")?|(?P<least>\d+)\.\.(?P<most>\d+)|(?P<name>[\w-]+)|\S')
_RULE = re.compile(r"^([\w-]+)\s*::=((?:.|\n(?![\w-]+\s*::=))*)", re.MULTILINE)
_FEW = 3
"""Maximum number of repetitions of a part."""


class Node(NamedTuple):
    """A part of a rule: its kind, and its parts."""

    kind: str
    parts: tuple[Any, ...]


def rules(grammar: str) -> dict[str, Node]:
    """The rules of a grammar by name. Raises ValueError for a rule that names one that does not exist."""
    found = {name: _Parser(body).alternatives() for name, body in _RULE.findall(grammar)}
    missing = {name for node in found.values() for name in _names(node)} - found.keys() - {"newline"}
    if missing:
        raise ValueError(f"no rules for {missing}")
    return found


def words(grammar: str) -> set[str]:
    """All words that a grammar has in quotes."""
    return set(re.findall(r'"([^"]+)"', grammar))


def text(found: dict[str, Node], random: Random, node: Node, depth: int = 0) -> str:
    """A text that follows from a part. The deeper it is, the less often parts are repeated or added."""

    def inside(part: Node) -> str:
        return text(found, random, part, depth)

    match node:
        case Node("word", (word,)):
            return str(word)
        case Node("sites", _):
            return f"{random.choice('ABCDEF')}{random.randint(1, 6)}"
        case Node("range", (least, most)):
            return str(random.choice((least, most, random.randint(least, min(most, least + 99)))))
        case Node("name", ("newline",)):
            return "\n"
        case Node("name", (name,)):
            return text(found, random, found[name], depth + 1)
        case Node("sequence", parts):
            return " ".join(map(inside, parts))
        case Node("alternatives", parts):
            return inside(random.choice(parts if depth < 10 else _shallow(parts)))
        case Node("?", (part,)):
            return inside(part) if random.random() < 8 / (16 + depth) else ""
        case Node("*", (part,)):
            return " ".join(inside(part) for _ in range(random.randint(0, max(0, _FEW - depth // 2))))
    raise TypeError(node)


def _shallow(parts: tuple[Node, ...]) -> tuple[Node, ...]:
    """The parts that name the fewest rules, so that a text ends."""
    counts = [len(_names(part)) for part in parts]
    return tuple(part for part, count in zip(parts, counts, strict=True) if count == min(counts))


def _names(node: Any) -> list[str]:
    if not isinstance(node, Node):
        return []
    return [*node.parts] if node.kind == "name" else [name for part in node.parts for name in _names(part)]


class _Parser:
    def __init__(self, body: str) -> None:
        self._tokens = list(_TOKEN.finditer(body))
        self._at = 0

    def alternatives(self) -> Node:
        parts = [self._sequence()]
        while self._is("|"):
            self._at += 1
            parts.append(self._sequence())
        return parts[0] if len(parts) == 1 else Node("alternatives", tuple(parts))

    def _sequence(self) -> Node:
        parts = []
        while self._at < len(self._tokens) and not self._is("|") and not self._is(")"):
            parts.append(self._repeated())
        return parts[0] if len(parts) == 1 else Node("sequence", tuple(parts))

    def _repeated(self) -> Node:
        found = self._tokens[self._at]
        self._at += 1
        if found["last"]:
            node = Node("sites", ())
        elif found["word"]:
            node = Node("word", (found["word"],))
        elif found["least"]:
            node = Node("range", (int(found["least"]), int(found["most"])))
        elif found["name"]:
            node = Node("name", (found["name"],))
        else:
            assert found[0] == "(", found[0]
            node = self.alternatives()
            self._at += 1
        while self._is("*") or self._is("?"):
            node = Node(self._tokens[self._at][0], (node,))
            self._at += 1
        return node

    def _is(self, sign: str) -> bool:
        return self._at < len(self._tokens) and self._tokens[self._at][0] == sign
