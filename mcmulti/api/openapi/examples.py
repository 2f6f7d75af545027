"""Examples, recorded in real games, from ``examples.json`` in this folder.

By rule set, then by name of a schema, id of an operation, code of a problem, or name of a parameter. The tests verify
that they are real by recording them again from the golden games.
"""

from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Any

import msgspec

from mcmulti.api.http.contract import Operation
from mcmulti.api.http.problems import CODES, ApiError

_Examples = dict[str, Any]

BY_RULESET: dict[str, _Examples] = msgspec.json.decode(files(__package__).joinpath("examples.json").read_bytes())
"""What was recorded in the games of each rule set."""
RECORDED: _Examples = {
    part: {name: value for each in reversed(BY_RULESET.values()) for name, value in each[part].items()}
    for part in ("schemas", "operations", "problems", "parameters")
}
"""The examples of all rule sets together: from the first rule set that has one."""


def component_examples(operations: Iterable[Operation], codes: Iterable[str]) -> dict[str, Any]:
    """Every example that responses and bodies refer to, by name; `codes`: those of the possible problems."""
    found: dict[str, Any] = {}
    for operation in operations:
        parts = {"answer": operation.json and operation.answer, "body": operation.body}
        for key in (f"{operation.id}.{part}" for part, there in parts.items() if there):
            found[key] = {"summary": operation.summary, "value": _value(key)}
    for code in codes:
        found[_problem_key(code)] = {"summary": CODES[code][1], "value": _value(_problem_key(code))}
    return dict(sorted(found.items()))


def recorded_example(key: str) -> dict[str, Any]:
    """The `examples` of a successful response or of a request body, by its key."""
    return {"examples": {"recorded": {"$ref": f"#/components/examples/{key}"}}}


def problem_examples(codes: list[str]) -> dict[str, Any]:
    """The `examples` of problems with these codes."""
    return {"examples": {code: {"$ref": f"#/components/examples/{_problem_key(code)}"} for code in codes}}


def _problem_key(code: str) -> str:
    return f"problem.{code}"


def _value(key: str) -> Any:
    """A recorded example. Raises LookupError."""
    found = _example(key, RECORDED)
    if found is None:
        raise LookupError(f"no example of {key} is recorded: add one to tests/api/moment.py, run `make openapi`")
    return found


def _example(key: str, recorded: _Examples) -> Any:
    """What was recorded under a key; None if nothing was. A problem that was not recorded is made from its code."""
    owner, _, part = key.partition(".")
    if owner != "problem":
        return recorded["operations"].get(owner, {}).get(part)
    return recorded["problems"].get(part) or msgspec.to_builtins(ApiError(part, f"{CODES[part][1]}.").problem)


def exemplified(document: Mapping[str, Any], ruleset: str) -> dict[str, Any]:
    """The document with the examples that were recorded in games of a rule set, and without those of others."""
    recorded = BY_RULESET.get(ruleset, {part: {} for part in RECORDED})
    components = document["components"]
    told = {name: _example(name, recorded) for name in components["examples"]}
    examples = {name: {**components["examples"][name], "value": value} for name, value in told.items() if value}
    schemas = {name: _recorded(schema, name, recorded) for name, schema in components["schemas"].items()}
    paths, responses = (
        _referring(part, examples, recorded["parameters"]) for part in (document["paths"], components["responses"])
    )
    return {
        **document,
        "paths": paths,
        "components": {**components, "schemas": schemas, "responses": responses, "examples": examples},
    }


def _recorded(schema: _Examples, name: str, recorded: _Examples) -> _Examples:
    """A schema with the example recorded under its name, if there is one."""
    found = {key: value for key, value in schema.items() if key != "examples"}
    return {**found, "examples": [recorded["schemas"][name]]} if name in recorded["schemas"] else found


def _referring(node: Any, examples: _Examples, parameters: _Examples) -> Any:
    """Operations with only these examples."""
    if isinstance(node, list):
        return [_referring(item, examples, parameters) for item in node]
    if not isinstance(node, dict):
        return node
    found = {key: _referring(value, examples, parameters) for key, value in node.items()}
    if "examples" in found:
        kept = {
            name: each for name, each in found.pop("examples").items() if each["$ref"].rpartition("/")[2] in examples
        }
        found |= {"examples": kept} if kept else {}
    if "example" in found:  # of a parameter
        del found["example"]
        return found | ({"example": parameters[found["name"]]} if found["name"] in parameters else {})
    return found
