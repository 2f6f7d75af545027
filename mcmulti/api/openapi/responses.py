"""Responses: the successful one with its headers and links, and a problem for each code.

Those that several operations have are components, so that the document has them once. Links lead to operations, with
parameters: they connect all operations of a game.
"""

from collections import Counter
from typing import Any

import msgspec

from mcmulti.api.http.contract import Operation
from mcmulti.api.http.problems import CODES, MEDIA_TYPE
from mcmulti.api.openapi.examples import problem_examples, recorded_example
from mcmulti.api.openapi.headers import BY_STATUS, EVERYWHERE, LIMITED, REQUEST, headers
from mcmulti.api.openapi.references import with_responses
from mcmulti.api.openapi.schemas import ref
from mcmulti.api.openapi.words import sentences
from mcmulti.api.streams.items import SSE

_GAME = {"game": "$response.body#/game"}
_THIS_GAME = {"game": "$request.path.game"}
_ON_THIS_HEAD = {"If-Match": "$response.header.ETag"}

_LINKS: dict[str, dict[str, tuple[str, dict[str, str], str]]] = {
    "listRulesets": {
        "ruleset": ("getRuleset", {"ruleset": "$response.body#/rulesets/0/name"}, "The rule set in full."),
    },
    "listGames": {
        "game": ("getGame", {"game": "$response.body#/games/0/game"}, "The newest game."),
        "events": ("listEvents", {"game": "$response.body#/games/0/game"}, "The log of the newest game."),
    },
    "openGame": {
        "join": ("takeSeat", _GAME, "Take a seat at the new table."),
        "game": ("getGame", _GAME, "Show the new game."),
        "events": ("listEvents", _GAME, "Read its log."),
        "rematch": ("openRematch", _GAME, "Play again when it is over."),
    },
    "openRematch": {
        "join": ("takeSeat", _GAME, "Take a seat at the table."),
    },
    "openBranch": {
        "join": ("takeSeat", _GAME, "Take a seat at the table."),
    },
    "getPosition": {
        "branch": ("openBranch", _THIS_GAME, "Play on from here."),
    },
    "takeSeat": {
        "offers": ("listOffers", _GAME, "List your legal commands at this table."),
        "commands": ("sendCommands", _GAME, "Start the game, for example."),
        "game": ("getGame", _GAME, "Show the game."),
    },
    "listOffers": {
        "commands": ("sendCommands", _GAME | _ON_THIS_HEAD, "Send a command that one of the offers admits."),
    },
    "sendCommands": {
        "offers": ("listOffers", _GAME, "List your legal commands."),
        "more": ("sendCommands", _GAME | _ON_THIS_HEAD, "Continue from here."),
        "events": ("listEvents", _GAME | {"after": "$response.body#/seq"}, "Wait for what happens next."),
        "game": ("getGame", _GAME, "Show the game now."),
    },
    "getGame": {
        "moment": (
            "getGame",
            _GAME | {"at": "$response.body#/seq"},
            "The same at an address that never changes.",
        ),
        "offers": ("listOffers", _GAME, "List your legal commands."),
        "events": ("listEvents", _GAME, "Read its log."),
    },
    "listEvents": {
        "events": ("listEvents", _THIS_GAME | {"after": "$response.body#/seq"}, "What happens after this."),
        "moment": ("getGame", _THIS_GAME | {"at": "$response.body#/seq"}, "The game after the last event."),
    },
}
_EVERYWHERE = (
    "bad_request",
    "invalid_header",
    "too_many_requests",
    "internal",
    "stopping",
    "database_away",
)
_HEALTH = ("isAlive", "isReady")
_ORDER = [*CODES]
_ALWAYS = frozenset(("invalid_query", *_EVERYWHERE))
"""The codes of every operation, which distinguish no responses."""
_DATABASE_FREE = ("isAlive", "getIndex", "listRulesets", "getRuleset")


def links(operation: str) -> dict[str, Any]:
    """The links of an operation's successful response."""
    return {
        name: {"operationId": target, "parameters": parameters, "description": text}
        for name, (target, parameters, text) in _LINKS.get(operation, {}).items()
    }


def responses(operation: Operation) -> dict[str, Any]:
    """All possible responses of an operation, by status."""
    always = EVERYWHERE if operation.id in _HEALTH else (*EVERYWHERE, *LIMITED)
    found: dict[str, Any] = {str(operation.status): _success(operation, always)}
    if operation.id == "openRematch":
        found["200"] = {**found["201"], "description": "The rematch already exists: the table as it is now."}
    if "If-None-Match" in operation.headers:
        found["304"] = {
            "description": "Your cached response is current.",
            "headers": headers("ETag", *always),
        }
    if "Last-Event-ID" in operation.headers and operation.json:  # otherwise it is endless
        found["204"] = {
            "description": "The stream of server-sent events has ended. Do not reconnect.",
            "headers": headers("Cache-Control", *always),
        }
    by_status: dict[int, list[str]] = {}
    for code in sorted(codes(operation), key=_ORDER.index):
        by_status.setdefault(CODES[code][0], []).append(code)
    for status, named in sorted(by_status.items()):
        found[str(status)] = _problem(status, named, (*always, *LIMITED) if status == 429 else always)
    return found


def codes(operation: Operation) -> list[str]:
    """All possible problem codes of an operation."""
    found = ["invalid_query"]
    if operation.body:
        found += ["malformed_json", "invalid_body", "unsupported_media_type", "body_too_large"]
    if operation.auth != "none":
        found.append("unauthenticated")
    if len(operation.media_types) > 1:
        found.append("not_acceptable")
    found += operation.problems
    if "unknown_game" in operation.problems:
        found += ["damaged_game", "went_back"]
    if operation.large:
        found.append("busy")
    found += _EVERYWHERE
    left_out = {"database_away"} if operation.id in _DATABASE_FREE else set()
    return [code for code in dict.fromkeys(found) if code not in left_out]


def _success(operation: Operation, always: tuple[str, ...]) -> dict[str, Any]:
    names = ["Location"] if operation.quota == "new_games" else []
    names += ["Content-Disposition"] if operation.id == "getGameFile" else []
    names += ["ETag"] if operation.etag else []
    if operation.deprecated is not None:
        names += operation.deprecated.headers
    if "Idempotency-Key" in operation.headers:
        names.append("Idempotent-Replayed")
    if operation.streams or operation.texts:
        names.append("X-Accel-Buffering")
    content: dict[str, Any] = {}
    if operation.json and operation.answer:
        example = recorded_example(f"{operation.id}.answer")
        content["application/json"] = {"schema": ref(operation.answer.__name__), **example}
    for media_type in operation.texts:
        content[media_type] = {"schema": {"type": "string", "contentMediaType": media_type}}
    for media_type in operation.binary:
        content[media_type] = {"schema": {"type": "string", "format": "binary", "contentMediaType": media_type}}
    for media_type, items in operation.streams.items():
        content[media_type] = {"schema": _stream(media_type, [kind.__name__ for kind in items])}
    success: dict[str, Any] = {
        "description": sentences(operation.answer.__doc__ or "") if operation.answer else f"{operation.summary}.",
        "headers": headers(*names, "Cache-Control", *always),
        **({"content": content} if content else {}),
    }
    leads = links(operation.id)
    return {**success, "links": leads} if leads else success


def _stream(media_type: str, items: list[str]) -> dict[str, Any]:
    """A stream of items: endless text, which OpenAPI 3.1 cannot describe better.

    By convention, the schema of `text/event-stream` describes each of its messages.
    """
    item = {
        "type": "string",
        "contentMediaType": "application/json",
        "contentSchema": {"anyOf": [ref(item) for item in items]} if len(items) > 1 else ref(items[0]),
    }
    if media_type != SSE:
        told = "A stream: read it line by line. Each line is a JSON document that matches `contentSchema`."
        return {**item, "description": told, "contentMediaType": media_type}
    return {
        "type": "object",
        "description": "A message in the stream.",
        "properties": {
            "event": {"type": "string", "enum": ["message"]},
            "id": {
                "description": "Send it as `Last-Event-ID` to continue after this message.",
                **REQUEST["Last-Event-ID"]["schema"],
            },
            "data": {**item, "description": "A JSON document that matches `contentSchema`."},
        },
        "required": ["data"],
        "additionalProperties": False,
    }


def _problem(status: int, named: list[str], always: tuple[str, ...]) -> dict[str, Any]:
    description = "; ".join(f"`{code}`: {CODES[code][1]}" for code in named) + "."
    if "refused" in named:
        description += " Instead of `refused`, the code is the reason, from `codes` of the rule set."
    return {
        "description": description,
        "headers": headers(*BY_STATUS.get(status, ()), "Cache-Control", *always),
        "content": {MEDIA_TYPE: {"schema": ref("Problem"), **problem_examples(named)}},
    }


def shared(paths: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The operations with references to the responses that several of them have, and these responses by name.

    Of those with the same name, the most frequent one is shared.
    """
    told = [
        (_component_name(status, response), response)
        for operations in paths.values()
        for operation in operations.values()
        for status, response in operation["responses"].items()
        if not status.startswith("2")
    ]
    times = Counter((name, msgspec.json.encode(response)) for name, response in told)
    found: dict[str, dict[str, Any]] = {}
    for name, response in sorted(told, key=lambda each: -times[each[0], msgspec.json.encode(each[1])]):
        if times[name, msgspec.json.encode(response)] > 1:
            found.setdefault(name, response)

    def reference(status: str, response: dict[str, Any]) -> dict[str, Any]:
        name = _component_name(status, response)
        return {"$ref": f"#/components/responses/{name}"} if found.get(name) == response else response

    return with_responses(paths, reference), dict(sorted(found.items()))


def _component_name(status: str, response: dict[str, Any]) -> str:
    """What a response is called as a component, such as ``Problem404UnknownGame``: new operations never rename it."""
    examples = response.get("content", {}).get(MEDIA_TYPE, {}).get("examples")
    if examples is None:
        return f"Answer{status}"
    own = (part.capitalize() for code in examples if code not in _ALWAYS for part in code.split("_"))
    return f"Problem{status}{''.join(own)}"
