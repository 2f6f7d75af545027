"""A bot on a client that openapi-python-client generated from the OpenAPI document.

It sits down at a game, or opens one for two, plays it to its end, and prints the standings. ../README.md tells how
to generate the client, and how to run the bot:

    python bot.py http://127.0.0.1:8000 --game GAME
"""

import argparse
import random
import time
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar
from uuid import UUID, uuid4

import httpx
from mcmulti_client import AuthenticatedClient, Client
from mcmulti_client import models as m
from mcmulti_client.api.games import get_game, open_game
from mcmulti_client.api.log import list_events
from mcmulti_client.api.play import list_offers, send_commands, take_seat
from mcmulti_client.api.players import register_player
from mcmulti_client.types import Response

P = ParamSpec("P")
T = TypeVar("T")

WAIT = 25
"""Seconds that one request waits for the next event. A request may take longer than that."""
TIMEOUT = httpx.Timeout(60)
TRIES = 20
FOR_TWO = m.NewMcMultiGame(ruleset="mcmulti", setup=m.Setup(seats=2))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("--game", type=UUID, help="sit down here; left out: open a game for two")
    parser.add_argument("--name", default=f"Python bot {uuid4().hex[:6]}")
    parser.add_argument("--token", help="of a player that is registered already")
    given = parser.parse_args()
    token = given.token or register(given.server, given.name)
    with AuthenticatedClient(base_url=given.server, token=token, timeout=TIMEOUT) as client:
        game: UUID = given.game or asked(m.NewlyOpened, open_game.sync_detailed, client=client, body=FOR_TWO).game
        asked(m.Result, take_seat.sync_detailed, game, client=client, body=m.Join(entropy=uuid4().hex))
        print(f"Plays game {game}", flush=True)
        play(client, game)
        view = asked(m.GameView, get_game.sync_detailed, game, client=client).view
    for standing in view.standings:
        print(f"{standing.rank}. {view.seats[standing.seat].name}: {standing.cash}")


def register(server: str, name: str) -> str:
    with Client(base_url=server, timeout=TIMEOUT) as client:
        new = m.NewPlayer(name, "bot")
        player = asked(m.Registered, register_player.sync_detailed, client=client, body=new)
    token: str = player.token
    return token


def play(client: AuthenticatedClient, game: UUID) -> None:
    """Move whenever there is something to decide, until the game waits for nobody. Then it is over."""
    while True:
        seen = patiently(list_offers.sync_detailed, game, client=client)
        now = expected(m.Offers, seen)
        if not now.to_move:
            return
        moves = [move for move in map(any_move, now.offers) if weight(move)]
        if moves:
            [move] = random.choices(moves, [weight(move) for move in moves])
            send(client, game, move, seen.headers["ETag"])
        else:  # the response comes with the next event, or without one after this many seconds
            asked(m.Events, list_events.sync_detailed, game, client=client, after=now.seq, limit=1, wait=WAIT)


def send(client: AuthenticatedClient, game: UUID, move: m.Commands, etag: str) -> None:
    """Send what was decided at the position that `etag` names. If the game moved on, or refuses, look again."""
    key = str(uuid4())  # carried out once, however often it is sent
    response = patiently(
        send_commands.sync_detailed, game, client=client, body=move, if_match=etag, idempotency_key=key
    )
    if response.status_code not in (409, 412):
        expected(m.Result, response)


def any_move(offer: m.Offer) -> m.Commands:
    """The offered command, with any values that the offer admits."""
    fields = offer.fields.additional_properties if offer.fields else {}
    values = {name: any_value(field) for name, field in fields.items()}
    return m.Commands.from_dict({"commands": [{"type": offer.command, **values}]})


def any_value(field: m.FlagChoice | m.Form | m.NumberChoice | m.Range | m.SiteChoice | m.TextChoice) -> Any:
    if isinstance(field, m.Form):
        raise TypeError(f"a {field.schema} has to be written, not chosen")
    if isinstance(field, m.Range):
        return random.randrange(field.min_, field.max_ + 1, field.step or 1)
    if isinstance(field, m.SiteChoice):
        return random.choice(field.options).to_dict()
    return random.choice(field.options)


def weight(move: m.Commands) -> float:
    """Its probability. A bot that never ends its turn does not save, and one that sells its wells does not pump."""
    match move.commands:
        case [m.LeaveSeat()]:
            return 0
        case [m.RollDice() | m.EndTurn()]:
            return 3
        case [m.SellAsset() | m.EndProduction()]:
            return 0.2
    return 1


def patiently(request: Callable[P, Response[T]], *args: P.args, **kwargs: P.kwargs) -> Response[T]:
    """Retry until the server responds and is not too busy."""
    for _ in range(TRIES):
        try:
            response = request(*args, **kwargs)
        except httpx.TransportError:
            time.sleep(1)
            continue
        if response.status_code not in (429, 503):
            return response
        time.sleep(float(response.headers.get("Retry-After", 1)))
    raise SystemExit("The server does not answer.")


def expected(kind: type[T], response: Response[Any]) -> T:
    if isinstance(response.parsed, kind):
        return response.parsed
    raise SystemExit(f"{response.status_code}: {response.content.decode()}")


def asked(kind: type[T], request: Callable[P, Response[Any]], *args: P.args, **kwargs: P.kwargs) -> T:
    return expected(kind, patiently(request, *args, **kwargs))


if __name__ == "__main__":
    main()
