"""The few operations that a bot needs to play whole games: marked in the document, and a document of their own.

A second tag would mark them too, but some generators then write each of them twice, and clients do not compile.
"""

from collections.abc import Mapping
from typing import Any

from mcmulti.api.openapi.narrowed import used

BOTS = "bots"
"""The tag of these operations in their own document. The full document marks them with `x-bots`."""
FOR_BOTS = frozenset(
    {
        "registerPlayer",
        "getMe",
        "listRulesets",
        "getRuleset",
        "openGame",
        "listGames",
        "getGame",
        "takeSeat",
        "followGames",
        "listOffers",
        "sendCommands",
        "listEvents",
    }
)


def for_bots(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with only these operations and their components. The given document is not changed."""
    paths = {
        path: kept
        for path, operations in document["paths"].items()
        if (kept := {method: _alone(each) for method, each in operations.items() if each["operationId"] in FOR_BOTS})
    }
    info = {
        **document["info"],
        "title": "mcmulti for bots",
        "summary": "What a bot needs to play whole games over HTTP.",
    }
    tags = [{"name": BOTS, "description": "What a bot needs to play whole games."}]
    return used({**document, "info": info, "tags": tags, "paths": paths})


def _alone(operation: dict[str, Any]) -> dict[str, Any]:
    """An operation with only this tag, with links only to other operations of the part."""
    return {
        **operation,
        "tags": [BOTS],
        "responses": {status: _linking(response) for status, response in operation["responses"].items()},
    }


def _linking(response: dict[str, Any]) -> dict[str, Any]:
    if "links" not in response:
        return response
    left = {name: link for name, link in response["links"].items() if link["operationId"] in FOR_BOTS}
    others = {name: value for name, value in response.items() if name != "links"}
    return {**others, "links": left} if left else others
