"""Plays a seat: waits for its move, asks a strategy, sends the commands."""

from collections.abc import Sequence

import msgspec

from mcmulti.bots.strategies.judgment import ends_well, lets_take_back
from mcmulti.bots.strategy import Strategy
from mcmulti.client.client import Client, HttpProblem
from mcmulti.client.json_object import Json

WAIT = 25
"""Seconds that one request waits for the next event."""
REFUSALS = 3
"""How often in a row the rules may refuse a strategy's commands."""
LATE = ("too_late", "deadline_passed")
"""Refusals after which the server goes on by itself."""
ONE_BY_ONE = "one_by_one"
"""The refusal of several commands at once, in others' turns with standing instructions."""

TAIL = 300
"""How many events from the end of the log are searched for a pending question to every seat: more than can lie between
it and its last answer.
"""


async def play(client: Client, game: str, strategy: Strategy, orders: Json | None = None) -> Json:
    """Play the seat of the client's player to the end of the game, and return the last view.

    If the table allows it, `orders` are set once for others' turns. The game is started as soon as the table is full.
    Several seats may be asked at once: if another's move comes in between, the position is read again. After a
    deadline, it waits for what the server does. Proposals to end the game, and requests to take moves back, are
    answered by the bot's own evaluation. Raises `ServerAway`, and `HttpProblem` if the rules keep refusing the
    strategy's commands, or the player has no seat anymore.
    """
    refusals, one_by_one = 0, False
    following: Json = {}
    while True:
        known, following = following, {}
        now, etag = (known["offers"], known["etag"]) if known else await client.offers(game)
        if not now["to_move"]:
            return _view(await client.view(game))
        if orders is not None and any(offer["command"] == "Instruct" for offer in now["besides"]):
            await client.send(game, [{"type": "Instruct", "orders": orders}])
            orders = None
            continue
        commands = await _answers(client, game, now["besides"])
        if now["seat"] in now["to_move"] and not commands:
            shown = known or await client.view(game)
            if not known and shown["seq"] != now["seq"]:
                continue
            opened = not known and shown["table"]["status"] == "open"
            commands = _start(shown["table"]) if opened else strategy(_view(shown), now["offers"])
        if commands:
            try:
                done = await client.send(game, commands[:1] if one_by_one else commands, etag, offers=True)
            except HttpProblem as problem:
                if problem.code == ONE_BY_ONE and not one_by_one:
                    one_by_one = True
                    continue
                refusals += problem.status == 409
                if problem.status not in (409, 412) or refusals == REFUSALS:
                    raise
                if problem.code not in LATE:
                    continue
            else:
                refusals, one_by_one = 0, False
                if done["seat"] in done["table"]["to_move"]:
                    following = done.get("next", {}) if done["table"]["status"] == "running" else {}
                    continue
                now = done
        await client.events(game, now["seq"], limit=1, wait=WAIT)


async def _answers(client: Client, game: str, besides: list[Json]) -> list[Json]:
    """Answers to questions to every seat, by the bot's own evaluation; empty as long as that is undecided.

    A vote for an end cannot be withdrawn, and others may move before the last one is in. So a bot agrees only when
    nobody except bots is missing, and refuses at once.
    """
    for offer in besides:
        if "accept" not in offer.get("fields", {}):
            continue
        shown = await client.view(game)
        view, seats = _view(shown), shown["table"]["seats"]
        page: Json = msgspec.json.decode(await client.events(game, max(0, shown["seq"] - TAIL), limit=TAIL))
        events: list[Json] = page["events"]
        if offer["command"] == "AnswerEnd":
            how = offer["fields"]["how"]["options"][0]
            accept = ends_well(view, how)
            missing = votes_missing(events, sum(seat["state"] in ("taken", "companion") for seat in seats))
            bots = sum(seat["state"] == "taken" and seat["kind"] == "bot" for seat in seats)
            if accept and (missing is None or missing > bots):
                return []
            return [{"type": "AnswerEnd", "how": how, "accept": accept}]
        returned = to_be_returned(events)
        return [{"type": offer["command"], "accept": returned is not None and lets_take_back(view, returned)}]
    return []


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


def _view(shown: Json) -> Json:
    view: Json = shown["view"]
    return view


def _start(table: Json) -> list[Json]:
    """Start the game when the table is full."""
    full = all(seat["player"] is not None for seat in table["seats"])
    return [{"type": "StartGame"}] if full else []
