"""What a table asks of every seat besides moves, by the end of its log: to end the game, or to take moves back."""

from collections.abc import Sequence

import msgspec

from mcmulti.client.client import Client, Json

TAIL = 300
"""How many events are looked through: more than lie between a question and its last answer."""


async def latest(client: Client, game: str, seq: int) -> list[Json]:
    """The latest events up to `seq`, or some more."""
    page: Json = msgspec.json.decode(await client.events(game, max(0, seq - TAIL), limit=TAIL))
    found: list[Json] = page["events"]
    return found


def votes_missing(events: Sequence[Json], players: int) -> int | None:
    """How many of so many players have not agreed yet to the proposal that is open.

    None if that cannot be told: it was made too long ago, or somebody left since.
    """
    agreed = 1  # who made it
    for event in reversed(events):
        if event["type"] == "SeatVacated":
            return None
        if event["type"] == "EndAgreedTo":
            agreed = max(agreed, event["data"]["agreed"])
        elif event["type"] == "EndProposed":
            return players - agreed
    return None


def to_be_returned(events: Sequence[Json]) -> list[Json] | None:
    """What moves in the books if the request to take moves back that is open is granted; None if that cannot be told.

    It follows from the log, and not from a trial: that shows nothing as long as others have not answered either.
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
