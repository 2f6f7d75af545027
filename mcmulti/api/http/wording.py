"""Validation errors of a body or a query, in JSON terms: ``commands[0].quantity: expected integer, got string``.

msgspec reports them in Python terms.
"""

import re

_PLACE = re.compile(r"^(?P<what>.*?)(?: - at `(?P<place>[^`]*)`)?$", re.DOTALL)
_TYPES = {
    "int": "integer",
    "float": "number",
    "str": "string",
    "bool": "boolean",
    "dict": "object",
    "list": "array",
    "None": "null",
}
_MISSING = "Object missing required field "
_UNKNOWN = "Object contains unknown field "
_VALUE = re.compile(r"^Invalid (?:enum )?value (?P<value>.*)$", re.DOTALL)
_PATTERN = re.compile(r"matching regex (?P<quote>['\"])(?P<pattern>.*)(?P=quote)$", re.DOTALL)


def said(error: Exception, at: str = "") -> str:
    """The text of a validation error. `at`: the place of the decoded value in the body or query."""
    match = _PLACE.match(str(error))
    assert match is not None
    what, place = match["what"], at + (match["place"] or "$").removeprefix("$")
    for begun, then in ((_MISSING, "required"), (_UNKNOWN, "unknown field")):
        if what.startswith(begun):
            field = what.removeprefix(begun).strip("`")
            return f"{_member_name(f'{place}.{field}')}: {then}"
    return f"{_member_name(place)}: {_in_words(what)}"


def _member_name(place: str) -> str:
    return place.removeprefix(".") or "body"


def _in_words(what: str) -> str:
    value = _VALUE.match(what)
    if value:
        return f"unknown value {value['value']}"
    pattern = _PATTERN.search(what)
    if pattern:
        what = f"{what[: pattern.start()]}that matches {pattern['pattern'].replace(chr(92) * 2, chr(92))}"
    words = re.sub(r"`([^`]+)`", lambda found: _types(found[1]), what)
    return words[:1].lower() + words[1:]


def _types(names: str) -> str:
    return " or ".join(_TYPES.get(name, name) for name in names.split(" | "))
