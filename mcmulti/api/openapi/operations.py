"""Paths and their operations: parameters, bodies, who may call them."""

import re
from collections.abc import Iterable
from typing import Any

import msgspec
from litestar.handlers import HTTPRouteHandler
from msgspec import Struct

from mcmulti.api.contract import Operation
from mcmulti.api.openapi.examples import RECORDED, body_examples
from mcmulti.api.openapi.headers import REQUEST
from mcmulti.api.openapi.responses import responses
from mcmulti.api.openapi.schemas import body_schema, finished
from mcmulti.api.openapi.words import about, sentences
from mcmulti.domain.core.figures import MOST
from mcmulti.projections.charts import CHARTS

_PATH: dict[str, tuple[str, dict[str, Any]]] = {
    "game": ("Id of the game.", {"type": "string", "format": "uuid"}),
    "chart": ("What is charted.", {"type": "string", "enum": list(CHARTS)}),
    "round": (
        "Number of the round, from 1.",
        {"type": "integer", "format": "int32", "minimum": 1, "maximum": MOST},
    ),
    "ruleset": ("Name of the rule set.", {"type": "string", "pattern": "^[a-z_]{1,40}$"}),
}
_DESCRIPTIONS = {
    "getIndex": "The addresses to begin with.",
    "isAlive": "Answers as long as the process runs, whether or not its database does. Not limited.",
    "isReady": "Answers 200 if the server can play, 503 while its database is away. Not limited.",
    "registerPlayer": "Needs no token, and gives one. It is shown once: the server keeps its hash only. With an "
    "`Idempotency-Key` the same answer comes again; here the key must be random, a UUID or 32 characters and more, for "
    "whoever knows it gets the token.",
    "listRulesets": "The newest version of each; a game keeps the version it was opened with for ever.",
    "getRuleset": "Everything a program needs to explain the game: figures, rule texts, the codes of refusals.",
    "openGame": "Sets up a table. Nobody sits at it yet, not even the caller.",
    "listGames": "A page of games. Games are public; `mine` needs a token.",
    "getGame": "Everybody may look. A moment of the past (`at`) never changes and may be kept for ever.",
    "takeSeat": "Sits down before the game starts. The entropy given here goes into every draw of the game.",
    "listOffers": "Every command that is legal for the caller's seat now, with the values of its fields. "
    "A command is legal if and only if an offer admits it.",
    "sendCommands": "Carries out the commands in order, all or nothing. Only the last one may need chance. With "
    "`Idempotency-Key` a request may safely be sent again; with `If-Match` it is refused if the game has moved on. "
    "`dry_run` appends nothing.",
    "forecastOrders": "What an order sheet would lead to if its player were at turn now, before any dice, and what "
    "looks like a mistake in it. Nothing is sent by it: it appends nothing, and tells nothing that is sealed.",
    "listEvents": "Everybody may read. A page in JSON or, by `Accept`, a stream that goes on until the game ends.",
    "replayGame": "Frames, in a page or, by `Accept`, line by line: sentence, rule, what changed in the view of the "
    "caller (a JSON Patch, RFC 6902, on the view before), and what everybody has. A page may end within a turn only "
    "where the game does, or where `until` says so.",
    "listRounds": "For games that are played in rounds: which events each of them takes up, and whether it was "
    "refereed.",
    "getRoundReport": "Player by player: the orders carried out, those that were skipped and why, the conditions with "
    "the values that decided them, dice, hits, production, markets, standing. As JSON, as text of eighty columns, or "
    "as Markdown, by `Accept`. A round that was not refereed yet has no report.",
    "getLedger": "Double entry: every dollar, barrel and piece from account to account, line by line, with rule and "
    "reason. Line numbers never change, so a page is continued behind its last line.",
    "getBalances": "What every account holds. The trial balance is the sum over all accounts, zero in every unit.",
    "getStatements": "For every player and unit: the opening balance, what came and went for each reason, and the "
    "closing balance, which is the sum of these. Over the whole game, or a span of events or turns.",
    "getFlows": "All transfers of a span, added up by source, target, unit and reason.",
    "getHledgerJournal": "Every event is a transaction on a day of its own; every posting asserts the balance it "
    "leaves. Passes `hledger check --strict`, and no longer does when an amount is changed.",
    "getBeancountJournal": "Every event is a transaction on a day of its own; the next day asserts the balance of "
    "every account it touched. Passes `bean-check`, and no longer does when an amount is changed.",
    "listKeys": "Ed25519. All servers on one database sign with the same key.",
    "getProof": "The head of the log, signed by this server, which can then no longer tell another story; and every "
    "die and card so far. After the game the seed, from which everybody can draw them again.",
    "getGameFile": "A line about the game, then a line an event. `mcmulti verify` proves the file without any server, "
    "and `mcmulti import` takes it to another one.",
    "drawBoard": "Assets, the lines and hits of this turn's dice, markets, cards, cash: 800 pixels wide, for light and "
    "dark, with the whole position in words for those who cannot see it.",
    "drawChart": "A line a player or a price, over the turns, with the phases of the economy shaded behind them; or, "
    "as `dice`, how often each die showed each face, next to what is to be expected. 800 pixels wide, for light and "
    "dark, with the figures in words for those who cannot see it.",
    "getStatistics": "How often each die showed each face, with a chi-square test; what the dice let each seat "
    "operate, next to the average of all rolls; income and spending by reason; length and winners.",
    "followGames": "A stream over all games of the caller, without an end. Behind an `id` it tells which turns stand "
    "now, and every game that ended since; one that ended less than a minute before may be told again.",
}


def paths(routes: Iterable[Any]) -> dict[str, Any]:
    """The operations of the routes, by path and method."""
    found: dict[str, Any] = {}
    for route in routes:
        (path,) = route.paths
        names = re.findall(r"{(\w+):str}", path)
        template = re.sub(r"{(\w+):str}", r"{\1}", path)
        found.setdefault(template, {})[_method(route)] = _operation(route.opt["operation"], names)
    return found


def _method(route: HTTPRouteHandler) -> str:
    (method,) = route.http_methods - {"HEAD", "OPTIONS"}
    return str(method).lower()


def _operation(operation: Operation, names: list[str]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": _DESCRIPTIONS.get(operation.id, f"{operation.summary}."),
        "parameters": [
            *(_parameter("path", name, *_PATH[name], required=True) for name in names),
            *_query(operation.query),
            *_headers(operation),
        ],
    }
    if operation.body:
        content = {"schema": body_schema(operation.body), **body_examples(operation)}
        described["requestBody"] = {
            "description": sentences(operation.body[0].__doc__ or ""),
            "required": True,
            "content": {"application/json": content},
        }
    described["responses"] = responses(operation)
    described["security"] = {"required": [{"token": []}], "optional": [{}, {"token": []}], "none": []}[operation.auth]
    return described


def _query(query: type[Struct] | None) -> list[dict[str, Any]]:
    """The fields of a query type as parameters, with what its docstring says of each."""
    if query is None:
        return []
    _, components = msgspec.json.schema_components([query])
    fields = components[query.__name__].get("properties", {})
    return [
        _parameter("query", name, about(name, query.__doc__ or "", schema.pop("description", None)), finished(schema))
        for name, schema in fields.items()
    ]


def _headers(operation: Operation) -> list[dict[str, Any]]:
    return [
        _parameter("header", name, REQUEST[name]["description"], REQUEST[name]["schema"]) for name in operation.headers
    ]


def _parameter(place: str, name: str, text: str | None, schema: Any, *, required: bool = False) -> dict[str, Any]:
    parameter = {"name": name, "in": place, "description": text, "required": required, "schema": schema}
    if place == "path":
        parameter["example"] = RECORDED["parameters"][name]
    return parameter
