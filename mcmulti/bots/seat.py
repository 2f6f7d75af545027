"""One bot's part in a game: register, find a table, sit down, play."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from uuid import uuid4

from mcmulti.bots.player import play
from mcmulti.bots.strategies import best, strategy_for
from mcmulti.client.client import Client


@dataclass(frozen=True)
class Table:
    """Where to sit: at a game, or at a new one of `ruleset`, opened with `setup`.

    `seat` None: the first that is free.
    """

    game: str | None = None
    ruleset: str = "mcmulti"
    setup: Mapping[str, int] = field(default_factory=dict)
    seat: int | None = None


async def take_part(
    server: str, table: Table, name: str | None, strategy: str | None, seed: int, say: Callable[[str], None]
) -> None:
    """Play one game to its end, and `say` where and how it went. `strategy` None: the best for the rule set.

    Raises `HttpProblem` and `ServerAway`, and `NoStrategy` if the strategy does not play the game's rule set.
    """
    async with Client(server, patience=0) as client:
        ruleset = table.ruleset
        if table.game is not None:
            ruleset = str((await client.view(table.game))["view"]["ruleset"])
        strategy = strategy or best(ruleset)
        mind = strategy_for(ruleset, strategy)(seed)
        player = await client.register(name or f"{strategy} {uuid4().hex[:6]}")
        client.patience = 60.0  # the server was there: from now on it is worth waiting for
        game = table.game
        if game is None:
            game = str((await client.open_game(ruleset, **table.setup))["game"])
        seated = await client.take_seat(game, table.seat, entropy=uuid4().hex)
        say(f"{player['name']} sits on seat {seated['seat']} of game {game}")
        view = await play(client, game, mind)
        for standing in view["standings"]:
            seat = view["seats"][standing["seat"]]
            say(f"{standing['rank']}. {seat['name']} with {standing['cash']}")
