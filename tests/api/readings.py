"""Everything that can be read of a game, for any reader."""

from collections.abc import Iterator
from itertools import product

import msgspec

from mcmulti.api.app import ROUTES
from mcmulti.api.openapi import document
from tests.api.guests import Json, Table

PATHS: Json = msgspec.json.decode(document(ROUTES))["paths"]


OPENED = "/v1/games/{game}/invitations"
"""Only the opener of the table may read this."""
SEATED = ("/v1/games/{game}/offers", "/v1/games/{game}/phrase")
"""Only players at the table may read these: their offers, and the meaning of phrases."""
OWN = "/v1/games/{game}/orders"
"""This too, for their own orders, in games with orders."""


def readings() -> Iterator[tuple[str, str]]:
    """Every address at which players and spectators read a game, with each of its media types."""
    for path, methods in PATHS.items():
        if not path.startswith("/v1/games/{game}") or path in (OPENED, OWN) or "get" not in methods:
            continue
        parameters = [p for p in methods["get"]["parameters"] if p["in"] == "path" and p["name"] != "game"]
        for values in product(*(parameter["schema"].get("enum", (1,)) for parameter in parameters)):
            filled = path
            for parameter, value in zip(parameters, values, strict=True):
                filled = filled.replace(f"{{{parameter['name']}}}", str(value))
            for media_type in methods["get"]["responses"]["200"]["content"]:
                yield filled, media_type


def moments(path: str, seq: int) -> list[str]:
    """Queries: now and, if possible, the event before; for an endless stream, only up to the head."""
    if path.endswith("/events"):
        return [f"?until={seq}"]
    parameters = PATHS[path]["get"]["parameters"] if path in PATHS else []
    return ["", f"?at={seq - 1}"] if any(parameter["name"] == "at" for parameter in parameters) else [""]


async def read(table: Table, path: str, media_type: str, reader: str) -> tuple[int, bytes]:
    """Status and content of the reader's response."""
    headers = {"Accept": media_type}
    for guest in table.guests:
        if guest.name == reader:
            headers["Authorization"] = f"Bearer {guest.token}"
    answered = await table.client.get(path, headers=headers)
    return answered.status_code, answered.content
