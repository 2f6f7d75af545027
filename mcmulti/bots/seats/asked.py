"""Pending questions to every seat, from the end of the log: to end the game, or to take moves back."""

from collections.abc import Sequence

import msgspec

from mcmulti.client.client import Client
from mcmulti.client.json_object import Json

TAIL = 300
"""How many events are searched: more than can lie between a question and its last answer."""


async def latest(client: Client, game: str, seq: int) -> list[Json]:
    """The latest events up to `seq`, possibly with some more."""
    page: Json = msgspec.json.decode(await client.events(game, max(0, seq - TAIL), limit=TAIL))
    found: list[Json] = page["events"]
    return found


def votes_missing(events: Sequence[Json], players: int) -> int | None:
    """How many of N players have not agreed yet to the open proposal.

    None if that is unknown: it was made too long ago, or somebody left since.
    """
    agreed = 1  # the proposer
    for event in reversed(events):
        if event["type"] == "SeatVacated":
            return None
        if event["type"] == "EndAgreedTo":
            agreed = max(agreed, event["data"]["agreed"])
        elif event["type"] == "EndProposed":
            return players - agreed
    return None


def to_be_returned(events: Sequence[Json]) -> list[Json] | None:
    """The transfers in the books if the pending request to take moves back is granted; None if that is unknown.

    It is derived from the log, not from a trial, which shows nothing as long as others have not answered either.
    """
    closed: list[list[Json]] = []
    asked: int | None = None
    for event in events:
        data = event.get("data", {})
        if event["type"] == "MoveClosed":
            closed = [] if data["final"] else [*closed, data["returns"]]
            asked = None
        elif event["type"] == "MovesTakenBack":
            closed, asked = closed[: -data["moves"]], None
        elif event["type"] == "TakeBackAsked":
            asked = data["moves"]
    if asked is None or asked > len(closed):
        return None
    return [moved for returns in closed[-asked:] for moved in returns]
