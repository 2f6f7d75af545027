"""One bot's part in a game: register, find a table, sit down, play."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

from mcmulti.bots.seats.player import play
from mcmulti.bots.seats.trouble import Watched
from mcmulti.bots.strategies.own import maker_of, strategy_name
from mcmulti.bots.strategies.registry import strategies_of
from mcmulti.bots.strategy import View
from mcmulti.client.client import Client, HttpProblem

LOOK = 1.0
"""Seconds between two searches for a vacant seat."""


@dataclass(frozen=True)
class Invitation:
    """Where to sit: at a game, or at a new one of `ruleset`, opened with `setup`.

    `seat` None: the first free one. `passcode`: that of a table for invited players. `substitute`: wait for a seat that
    a player left and anybody may take, in that game, or else in any running one, of the `ruleset` if it is not empty.
    `orders`: what to set for others' turns, if the table allows it.
    """

    game: str | None = None
    ruleset: str = ""
    setup: Mapping[str, Any] = field(default_factory=dict)
    seat: int | None = None
    passcode: str | None = None
    substitute: bool = False
    orders: Mapping[str, Any] | None = None


class NoSeat(Exception):
    """There is no seat, and there will be none. The message says why."""


async def take_part(
    server: str,
    table: Invitation,
    name: str | None,
    strategy: str | None,
    seed: int,
    say: Callable[[str], None],
    seconds: float | None = None,
) -> None:
    """Play one game to its end, and `say` where and how it went. `strategy` None: the first for the rule set.

    `seconds`: the most time for a decision. Raises `HttpProblem` and `ServerAway`, `NoSeat` if none can come,
    `NoStrategy` if the strategy does not play the game's rule set, and `StrategyFailed` if it cannot go on.
    """
    async with Client(server, patience=0) as client:
        if table.substitute:
            table = await _left(client, table)
        ruleset = table.ruleset
        if table.game is not None:
            ruleset = str((await client.view(table.game))["view"]["ruleset"])
        strategy = strategy or strategies_of(ruleset)[0]
        made = maker_of(ruleset, strategy)(seed)
        mind = Watched(made, name=strategy, ruleset=ruleset, seed=seed, seconds=seconds)
        player = await client.register(name or f"{strategy_name(strategy)} {uuid4().hex[:6]}", "bot")
        client.patience = 60.0  # the server has answered, so it is worth waiting for
        game = table.game
        if game is None:
            game = str((await client.open_game(ruleset, **table.setup))["game"])
        entropy = "" if table.substitute else uuid4().hex
        seated = await client.take_seat(game, table.seat, entropy, table.passcode)
        say(f"{player['name']} sits on seat {seated['seat'] + 1} of game {game}")
        try:
            view = await play(client, game, mind, None if table.orders is None else dict(table.orders))
        except HttpProblem as problem:
            raise mind.refused(problem) from None
        finally:
            mind.close()
        async for line in results(client, game, view):
            say(line)


async def _left(client: Client, table: Invitation) -> Invitation:
    """A table with a vacant seat that anybody may take, as soon as there is one. Raises `NoSeat`."""
    while True:
        if table.game is None:
            narrowed = {"ruleset": table.ruleset} if table.ruleset else {}
            tables = json.loads(await client.content("/v1/games", left="substitute", **narrowed))["games"]
        else:
            tables = [(await client.view(table.game))["table"]]
            if tables[0]["status"] == "finished":
                raise NoSeat("The game is over, and nobody left a seat.")
        for found in tables:
            empty = [seat["seat"] for seat in found["seats"] if seat["state"] == "vacant"]
            if empty and table.seat in (None, *empty):
                return replace(table, game=found["game"], seat=empty[0] if table.seat is None else table.seat)
        await asyncio.sleep(LOOK)


async def results(client: Client, game: str, view: View) -> AsyncIterator[str]:
    """The results: by rank if the rule set ranks its players, otherwise the winners and everybody's holdings."""
    for standing in view.get("standings", ()):
        yield f"{standing['rank']}. {view['seats'][standing['seat']]['name']} with {standing['cash']}"
    if "standings" in view:
        return
    seq = (await client.view(game))["seq"]
    [frame] = json.loads(await client.content(f"/v1/games/{game}/replay", after=seq - 1))["frames"]
    for holding in frame["holdings"]:
        has = " and ".join(f"{amount} {unit.replace('_', ' ')}" for unit, amount in holding["amounts"].items())
        wins = " wins" if holding["seat"] in view["winners"] else ""
        yield f"{view['seats'][holding['seat']]['name']}{wins} with {has}"
