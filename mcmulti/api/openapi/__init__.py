"""The OpenAPI 3.1 document, generated from the routes' operations, msgspec's schemas of their types, and recorded
games.
"""

from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from typing import Any

import msgspec
import yaml

from mcmulti.api.openapi.examples import component_examples
from mcmulti.api.openapi.headers import ANNOUNCED, HEADERS
from mcmulti.api.openapi.narrowed import for_bots, narrowed
from mcmulti.api.openapi.operations import paths
from mcmulti.api.openapi.responses import codes, shared
from mcmulti.api.openapi.schemas import component_schemas
from mcmulti.domain.rulesets import CURRENT

_DESCRIPTION = """\
An event-sourced rules engine for board games: {games}.

{how}
The unit of money of each game is in `listRulesets`. {problems}
"""
_NARROWED = """\
The contract for one rule set, `{name}`. It has all operations, but only the commands, offer fields, events, views, and
setups of this rule set. `/openapi.json` covers all rule sets.

{how}
{problems}
"""
_HOW = """\
Register a player, open or find a game, take a seat, and list the offers. They contain every legal command with the
values its fields may have. Send one of them. The response contains the resulting events. Anyone can read the log of a
game at any time, and it contains everything that happened in the game.
"""
_PROBLEMS = "Every error is an RFC 9457 problem with a\nstable `code`."
_TAGS = {
    "players": "Players and their accounts.",
    "rulesets": "The rules, as data.",
    "games": "Open, list, and show games.",
    "play": "Take a seat, list offers, send commands.",
    "log": "What happened.",
    "service": "Entry points and health checks.",
}


def document(routes: Iterable[Any], ruleset: str | None = None, *, bots: bool = False) -> bytes:
    """The document of these routes, as indented JSON; narrowed to the games of a rule set, or to what `bots` need."""
    whole = _document(tuple(routes))
    if ruleset is None and not bots:
        return whole
    content = msgspec.json.decode(whole)
    if ruleset is not None:
        game, content = CURRENT[ruleset], narrowed(content, ruleset)
        content["info"] = {
            **content["info"],
            "title": f"mcmulti: {game.title}",
            "summary": f"Play, replay, and audit {game.title} over HTTP.",
            "description": _NARROWED.format(name=game.name, how=_HOW, problems=_PROBLEMS.replace("\n", " ")),
            "x-ruleset": game.name,
        }
    return _indented(for_bots(content) if bots else content)


def as_yaml(document: bytes) -> bytes:
    """The same document in YAML."""
    content = msgspec.json.decode(document)
    text: str = yaml.dump(content, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=120)
    return text.encode()


class _Plain(yaml.SafeDumper):
    """YAML without anchors, so that each place is complete by itself."""

    def ignore_aliases(self, data: object) -> bool:
        """Write everything out."""
        return True


@cache
def _document(routes: tuple[Any, ...]) -> bytes:
    operations = [route.opt["operation"] for route in routes]
    referring, responses = shared(paths(routes))
    announced = sorted({name for each in operations if each.deprecated for name in each.deprecated.headers})
    content = {
        "openapi": "3.1.0",
        "info": {
            "title": "mcmulti",
            "version": version("mcmulti"),
            "summary": "Play, replay, and audit McMulti over HTTP.",
            "description": _DESCRIPTION.format(
                games=", ".join(ruleset.called("en") for ruleset in CURRENT.values()), how=_HOW, problems=_PROBLEMS
            ),
            "contact": {"name": "The mcmulti authors"},
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/", "description": "The server that you got this document from."}],
        "tags": [{"name": name, "description": text} for name, text in _TAGS.items()],
        "paths": referring,
        "components": {
            "schemas": component_schemas(operations),
            "responses": responses,
            "examples": component_examples(operations, {code for operation in operations for code in codes(operation)}),
            "headers": {**HEADERS, **{name: ANNOUNCED[name] for name in announced}},
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "From `POST /v1/players`, or from `POST /v1/players/me/tokens` with the scopes you "
                    "name.",
                }
            },
        },
    }
    return _indented(content)


def _indented(content: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n"
