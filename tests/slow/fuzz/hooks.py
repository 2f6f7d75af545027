"""What Schemathesis cannot know about the API. Loaded by schemathesis.toml."""

import os
import re
from typing import Any

import schemathesis
from schemathesis import Case, DeserializationContext, HookContext, Response
from schemathesis.generation.meta import CoveragePhaseData

LONGEST_WAIT = 1
"""Seconds. A long poll may take a minute, and every one of them would."""
FIRST_EVENTS = 7
"""Events that every started game has."""

SAMPLE = "ClimateIs"
"""The condition that Schemathesis puts in another one if it tests that one."""

_LEAVING = os.environ["LEAVING"].split(",")
_SECONDS = re.compile("[1-5]?[0-9]|60")


@schemathesis.hook
def before_call(context: HookContext, case: Case[Any], kwargs: dict[str, Any]) -> None:
    """Shorten long polls, write whole numbers as the API takes them, and leave out headers that are not samples.

    Games are branched at events that every game has. The token that all requests are sent with, `OWN_TOKEN`, is not
    revoked. Each erasure is that of another player in `LEAVING`, as long as one is left. `WEBHOOK` is not removed, but
    another one is.

    To JSON Schema 3.0 is an integer. The API takes 3 alone, which no schema can say. And where a header's pattern
    has other characters than letters and digits, the coverage phase has no value that fits it, takes one that does
    not, and still calls the request valid.
    """
    if _SECONDS.fullmatch(str((case.query or {}).get("wait"))):
        case.query["wait"] = min(LONGEST_WAIT, int(case.query["wait"]))
    case.body = _whole(case.body)
    if case.path.endswith("/branches") and isinstance(case.body, dict):
        moment = case.body.get("at")
        if isinstance(moment, int) and not isinstance(moment, bool):
            case.body["at"] = min(FIRST_EVENTS, moment)
    if (case.path_parameters or {}).get("id") == os.environ["OWN_TOKEN"]:
        case.path_parameters["id"] = "another"
    if case.method.upper() == "DELETE" and (case.path_parameters or {}).get("id") == os.environ["WEBHOOK"]:
        case.path_parameters["id"] = os.environ["SPARE_WEBHOOK"]
    if (case.method.upper(), case.path) in (("DELETE", "/v1/players/me"), ("POST", "/v1/players/me/pending")):
        for headers in (case.headers, kwargs.get("headers") or {}):
            if headers.get("Authorization") == f"Bearer {os.environ['TOKEN']}":
                leaves = case.method.upper() == "DELETE" and _LEAVING
                headers["Authorization"] = f"Bearer {_LEAVING.pop() if leaves else os.environ['SPARE_TOKEN']}"
    if case.meta is not None and isinstance(case.meta.phase.data, CoveragePhaseData):
        for name in _unintended(case, case.meta.phase.data.parameter):
            del case.headers[name]


@schemathesis.hook
def filter_case(context: HookContext, case: Case[Any]) -> bool:
    """In the coverage phase, send conditions in conditions only in `AllOf` in orders, unless `EVERY_PLACE` is set.

    Conditions have one schema wherever they are. All of them directly in orders, trades, and orders to pumps remain.
    """
    covers = case.meta is not None and isinstance(case.meta.phase.data, CoveragePhaseData)
    return "EVERY_PLACE" in os.environ or not (covers and isinstance(case.body, dict) and _repeats(case.body))


def _repeats(sheet: dict[str, Any]) -> bool:
    """Whether another condition than the sample is in a condition elsewhere than in `AllOf` in orders."""
    return any(
        isinstance(inner, dict) and inner.get("type") != SAMPLE
        for place in ("orders", "trades", "pumps")
        for line in _listed(sheet.get(place))
        if isinstance(line, dict) and isinstance(outer := line.get("condition"), dict)
        if (place, outer.get("type")) != ("orders", "AllOf")
        for inner in (*_listed(outer.get("conditions")), outer.get("condition"))
    )


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


@schemathesis.deserializer("image/png")
def as_text(context: DeserializationContext, response: Response) -> str:
    """Bytes as the string that their schema says they are."""
    return response.content.decode("latin-1")


def _unintended(case: Case[Any], about: str | None) -> list[str]:
    """The invalid headers of a case that is about another parameter."""
    declared = {parameter.name: parameter.definition["schema"] for parameter in case.operation.headers}
    return [
        name
        for name, value in case.headers.items()
        if name in declared and name != about and not re.search(declared[name].get("pattern", ""), str(value))
    ]


def _whole(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {name: _whole(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_whole(member) for member in value]
    return value
