"""One bot's part in a game: register, find a table, sit down, play."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import uuid4

from mcmulti.bots.client import Client
from mcmulti.bots.player import play
from mcmulti.bots.strategies import STRATEGIES


@dataclass(frozen=True)
class Table:
    """Where to sit: at a game, or at a new one for so many players, to so many millions of dollars.

    `seat` None: the first that is free.
    """

    game: str | None = None
    players: int = 4
    target: int = 750
    seat: int | None = None


async def take_part(
    server: str, table: Table, name: str | None, strategy: str, seed: int, say: Callable[[str], None]
) -> None:
    """Play one game to its end, and `say` where and how it went. Raises `Problem` and `ServerAway`."""
    async with Client(server, patience=0) as client:
        if table.game is not None:
            await client.view(table.game)
        player = await client.register(name or f"{strategy} {uuid4().hex[:6]}")
        client.patience = 60.0  # the server was there: from now on it is worth waiting for
        game = table.game
        if game is None:
            game = str((await client.open_game(seats=table.players, target=table.target))["game"])
        seated = await client.take_seat(game, table.seat, entropy=uuid4().hex)
        say(f"{player['name']} sits on seat {seated['seat']} of game {game}")
        view = await play(client, game, STRATEGIES[strategy](seed))
        for standing in view["standings"]:
            seat = view["seats"][standing["seat"]]
            say(f"{standing['rank']}. {seat['name']} with {standing['cash']}")
