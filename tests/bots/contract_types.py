"""The types of strategies' inputs and outputs, from the published contract.

Run as ``python -m tests.bots.contract_types`` to write ``mcmulti/bots/types.py``, after `make openapi`.
"""

import re
from collections.abc import Iterator
from keyword import iskeyword
from pathlib import Path
from textwrap import fill, indent
from typing import Any

import msgspec

from mcmulti.api.openapi.narrowed import narrowed
from mcmulti.domain.rulesets import SHIPPED

ROOT = Path(__file__).parents[2]
MODULE = ROOT / "mcmulti/bots/types.py"
CONTRACT = ROOT / "openapi/openapi.json"
HEAD = '''"""What strategies get and answer: views, offers and commands of all games, typed as the contract has them.

They are the dicts that JSON makes, so nothing has to be converted, and nothing is checked when a program runs: they are
for editors and type checkers. A key that is `NotRequired` has a default, and may be left out of commands; the server
tells it all the same. This file is generated from the OpenAPI documents by ``make docs``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NotRequired, TypeAlias, TypedDict

# fmt: off
'''
WIDTH = 116


def module() -> str:
    """The whole module."""
    schemas = _schemas()
    narrow = {name: _schemas(name) for name in SHIPPED}
    title = {name: _view(each).removesuffix("View") for name, each in narrow.items()}
    first = ["View", "Offer", "Command"]
    views = [_view(each) for each in narrow.values()]
    setups = [_named(schemas[view]["properties"]["setup"]) for view in views]
    bases = {"EveryView": (views, "What the views of all games have."), "EverySetup": (setups, "What all setups have.")}
    parts = [HEAD]
    for base, (names, about) in bases.items():
        shared = _shared([schemas[name] for name in names])
        parts.append(_type(base, {**shared, "description": about}))
        for name in names:
            own = {
                field: said for field, said in schemas[name]["properties"].items() if field not in shared["properties"]
            }
            schemas[name] |= {"properties": own, "base": base}
    parts += (_type(name, schemas[name]) for name in _reached(schemas, first) if "properties" in schemas[name])
    parts += (_alias(name, schemas[name]) for name in _reached(schemas, first) if "properties" not in schemas[name])
    for name, each in narrow.items():
        parts.append(_alias(f"{title[name]}Command", each["Command"]))
    for name, each in narrow.items():
        call = f"Callable[[{_view(each)}, list[Offer]], Sequence[{title[name]}Command]]"
        parts.append(f'{title[name]}Strategy: TypeAlias = {call}\n"""What plays {name}."""\n')
    return "\n".join(parts)


def _schemas(ruleset: str | None = None) -> Any:
    whole = msgspec.json.decode(CONTRACT.read_bytes())
    return (whole if ruleset is None else narrowed(whole, ruleset))["components"]["schemas"]


def _view(schemas: Any) -> str:
    return _named(schemas["GameView"]["properties"]["view"])


def _named(reference: Any) -> str:
    return str(reference["$ref"].rpartition("/")[2])


def _reached(schemas: Any, first: list[str]) -> Iterator[str]:
    """The schemas reachable from these, in the order in which they are found."""
    seen, waiting = set(first), list(first)
    while waiting:
        name = waiting.pop(0)
        yield name
        for found in re.findall(r'"\$ref":"#/components/schemas/(\w+)"', msgspec.json.encode(schemas[name]).decode()):
            if found not in seen:
                seen.add(found)
                waiting.append(found)


def _shared(schemas: list[Any]) -> Any:
    """The fields that all of these have alike."""
    first, *others = (
        [(field, said, field in each["required"]) for field, said in each["properties"].items()] for each in schemas
    )
    same = [each for each in first if all(each in other for other in others)]
    return {
        "properties": {field: said for field, said, _ in same},
        "required": [field for field, _, required in same if required],
    }


def _type(name: str, schema: Any) -> str:
    """A class; if a key is not a Python name, the functional form."""
    fields = {
        field: (_kind(said) if field in schema["required"] else f"NotRequired[{_kind(said)}]", said)
        for field, said in schema["properties"].items()
    }
    about = _docstring(re.split(r"\s`\w+`: ", " ".join(schema["description"].split()))[0])
    if any(map(iskeyword, fields)):
        keys = "".join(f'"{field}": {kind!r},\n' for field, (kind, _) in fields.items())
        return f'{name} = TypedDict("{name}", {{\n{indent(keys, "    ")}}})\n{_docstring(schema["description"])}'
    lines = "".join(
        _filled(f"{field}: ", kind) + _docstring("" if field == "type" else said.get("description", ""))
        for field, (kind, said) in fields.items()
    )
    return f"class {name}({schema.get('base', 'TypedDict')}):\n{indent(about + lines, '    ')}"


def _alias(name: str, schema: Any) -> str:
    """A union, or another named schema without fields."""
    return _filled(f"{name}: TypeAlias = ", _kind(schema)) + _docstring(schema["description"])


def _kind(schema: Any) -> str:
    """A schema as an annotation."""
    if "$ref" in schema:
        return _named(schema)
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " | ".join(_kind(each) for each in schema[several])
    if "enum" in schema:
        return f"Literal[{', '.join(msgspec.json.encode(value).decode() for value in schema['enum'])}]"
    kind = schema["type"]
    if kind == "array":
        return f"list[{_kind(schema['items'])}]"
    if kind == "object":
        return f"dict[str, {_kind(schema['additionalProperties'])}]"
    return {"string": "str", "integer": "int", "boolean": "bool", "null": "None"}[kind]


def _docstring(text: str) -> str:
    words = " ".join(text.split())
    if not words:
        return ""
    if len(words) < 100:
        return f'"""{words}"""\n'
    return f'"""{fill(words, 110)}\n"""\n'


def _filled(begun: str, kind: str) -> str:
    """An annotation, in brackets on several lines if it does not fit on one."""
    if len(begun + kind) <= WIDTH:
        return f"{begun}{kind}\n"
    if " | " in kind:
        return f"{begun}(\n{indent(fill(kind, WIDTH - 4), '    ')}\n)\n"
    front, bracket, values = kind.partition("[")
    return f"{begun}{front}{bracket}\n{indent(fill(values.removesuffix(']'), WIDTH - 4), '    ')}\n]\n"


if __name__ == "__main__":
    MODULE.write_text(module(), "utf-8")
