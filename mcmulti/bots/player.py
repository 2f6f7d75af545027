"""Plays a seat: waits for its move, lets a strategy choose, sends."""

from mcmulti.bots.client import Client, Json, Problem
from mcmulti.bots.strategy import Strategy

WAIT = 25
"""Seconds that one request waits for the next event."""
REFUSALS = 3
"""How often in a row the rules may refuse what a strategy chooses."""


async def play(client: Client, game: str, strategy: Strategy) -> Json:
    """Play the seat of the client's player to the end of the game, and return the last view.

    The game is started as soon as the table is full. Raises `ServerAway`, and `Problem` when the rules keep
    refusing what the strategy chooses.
    """
    refusals = 0
    while True:
        now = await client.view(game)
        view: Json = now["view"]
        if view["status"] == "finished":
            return view
        if view["status"] == "open" and all(seat["name"] is not None for seat in view["seats"]):
            await _start(client, game)
        elif view["status"] == "running" and view["you"] in view["to_move"]:
            try:
                await _move(client, game, strategy, now)
                refusals = 0
            except Problem as problem:
                refusals += problem.status == 409
                if problem.status not in (409, 412) or refusals == REFUSALS:
                    raise
        else:
            await client.events(game, now["seq"], limit=1, wait=WAIT)


async def _start(client: Client, game: str) -> None:
    """Start the game; somebody else at the table may be quicker, or leave."""
    try:
        await client.send(game, [{"type": "StartGame"}])
    except Problem as problem:
        if problem.code not in ("game_started", "seats_empty", "too_few_players"):
            raise


async def _move(client: Client, game: str, strategy: Strategy, now: Json) -> None:
    """Choose and send, unless the game has moved on since `now`."""
    offers, etag = await client.offers(game)
    if offers["seq"] == now["seq"]:
        await client.send(game, strategy(now["view"], offers["offers"]), etag)
