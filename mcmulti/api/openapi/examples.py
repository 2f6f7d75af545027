"""Examples, recorded in real games. They lie in ``examples.json`` beside this file.

By name of a schema or id of an operation (``requests``: its body). The tests tell them apart from what is made up:
they make them again from the golden games.
"""

from collections.abc import Iterable
from importlib.resources import files
from typing import Any

import msgspec

from mcmulti.api.contract import Operation
from mcmulti.api.problems import CODES, ApiError

_Examples = dict[str, Any]

RECORDED: _Examples = msgspec.json.decode(files(__package__).joinpath("examples.json").read_bytes())


def component_examples(operations: Iterable[Operation], codes: Iterable[str]) -> dict[str, Any]:
    """Every example that answers and bodies refer to, by name; `codes` are those of the problems there may be."""
    found: dict[str, Any] = {}
    for operation in operations:
        for key in (_answer_key(operation), _body_key(operation)):
            if key is not None:
                found[key] = {"summary": operation.summary, "value": _value(key)}
    for code in codes:
        found[_problem_key(code)] = {"summary": CODES[code][1], "value": _value(_problem_key(code))}
    return dict(sorted(found.items()))


def answer_examples(operation: Operation) -> dict[str, Any]:
    """The `examples` of a successful answer."""
    return _referred(_answer_key(operation))


def body_examples(operation: Operation) -> dict[str, Any]:
    """The `examples` of a request body."""
    return _referred(_body_key(operation))


def problem_examples(codes: list[str]) -> dict[str, Any]:
    """The `examples` of problems with these codes."""
    return {"examples": {code: {"$ref": f"#/components/examples/{_problem_key(code)}"} for code in codes}}


def _referred(key: str | None) -> dict[str, Any]:
    return {} if key is None else {"examples": {"recorded": {"$ref": f"#/components/examples/{key}"}}}


def _answer_key(operation: Operation) -> str | None:
    return f"{operation.id}.answer" if operation.json else None


def _body_key(operation: Operation) -> str | None:
    return f"{operation.id}.body" if operation.body else None


def _problem_key(code: str) -> str:
    return f"problem.{code}"


def _value(key: str) -> Any:
    """What was recorded; a problem that was not is made from its code."""
    owner, _, part = key.partition(".")
    if owner != "problem":
        return RECORDED["operations"][owner][part]
    return RECORDED["problems"].get(part) or msgspec.to_builtins(ApiError(part, f"{CODES[part][1]}.").problem)
