"""Whole games on a client that openapi-generator generated for Python: every seat is played from here.

It opens a game, plays every seat to the end, reads the log in all its forms, and prints the standings:

    python games.py http://127.0.0.1:8000 mcmulti
"""

import json
import random
import sys
from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

from mcmulti_client import ApiClient, Configuration, api
from mcmulti_client import models as m
from mcmulti_client.exceptions import ApiException
from urllib3 import HTTPResponse

SEATS = {"mcmulti": 2, "postal": 4}
LIVELY = 60
"""So many commands are any of those offered. Then everybody passes, and a game that stands still ends."""
LIKELY = {"RollDice": 3, "EndTurn": 3, "SellAsset": 0.2, "EndProduction": 0.2, "HoldRound": 0.2, "WithdrawOrders": 0.2}
"""How likely a command is chosen, if not 1: who never ends a turn does not save."""
PASSING = {"RollDice", "EndProduction", "EndPurchases", "EndTurn", "SubmitOrders"}


class Player:
    """A player with a token, a seat, and a client that sends the token."""

    def __init__(self, server: str, name: str) -> None:
        anonymous = api.PlayersApi(ApiClient(Configuration(host=server)))
        token = anonymous.register_player(m.NewPlayer(name=name), idempotency_key=str(uuid4())).token
        client = ApiClient(Configuration(host=server, access_token=token))
        self.games, self.play, self.log = api.GamesApi(client), api.PlayApi(client), api.LogApi(client)


def main(server: str, ruleset: str) -> None:
    run = uuid4().hex[:6]
    players = [Player(server, f"{name} {run}") for name in ("Ada", "Ben", "Cleo", "Dan")[: SEATS[ruleset]]]
    game = open_game(players, ruleset)
    print(f"Plays game {game}")
    chosen = play(players, game)
    print("Chose among:", *sorted(chosen))
    read(players[0], game)
    view = players[0].games.get_game(game).view.actual_instance
    for standing in view.standings:
        print(f"{standing.rank}. {view.seats[standing.seat].name}: {standing.cash}")


def open_game(players: list[Player], ruleset: str) -> UUID:
    """Open a game for these players, and sit them all down."""
    if ruleset == "postal":
        new = m.NewGame(m.NewPostalGame(ruleset=ruleset, setup=m.PostalSetup()))
    else:
        new = m.NewGame(m.NewMcMultiGame(ruleset=ruleset, setup=m.Setup(seats=len(players))))
    game: UUID = players[0].games.open_game(new).game
    for player in players:
        player.play.take_seat(game, m.Join(entropy=uuid4().hex))
    return game


def play(players: list[Player], game: UUID) -> set[str]:
    """Every seat moves when the game waits for it, until it waits for none. Returns the types of fields it filled."""
    chosen, sent = set[str](), 0
    to_move = players[0].play.list_offers(game).to_move
    while to_move:
        player = players[to_move[0]]
        now = player.play.list_offers_with_http_info(game)
        offers = [offer for offer in now.data.offers if offer.command != "LeaveSeat"]
        if sent >= LIVELY:
            offers = [offer for offer in offers if passes(offer)] or offers
        [offer] = random.choices(offers, [LIKELY.get(offer.command, 1) for offer in offers])
        fields = {name: field.actual_instance for name, field in (offer.fields or {}).items()}
        chosen |= {field.type for field in fields.values()}
        command = {"type": offer.command, **{name: any_value(field, sent) for name, field in fields.items()}}
        to_move = send(player, game, command, now.headers["etag"])
        sent += 1
    return chosen


def send(player: Player, game: UUID, command: dict[str, Any], etag: str) -> list[int]:
    """Send what was decided on the game as `etag` names it; tells whom the game waits for then."""
    commands = m.Commands.model_validate(m.Commands.from_dict({"commands": [command]}))
    try:
        result = player.play.send_commands(game, commands, idempotency_key=str(uuid4()), if_match=etag)
    except ApiException as refusal:
        if not (isinstance(refusal.data, m.Problem) and refusal.data.status == 412):
            raise
        return list(player.play.list_offers(game).to_move)  # the game went on: look again
    return list(result.to_move)


def passes(offer: m.Offer) -> bool:
    """Whether the command leaves everything as it is: holding a round no more does."""
    holding = (offer.fields or {}).get("hold")
    return offer.command in PASSING or (holding is not None and holding.actual_instance.options == [False])


def any_value(field: Any, sent: int) -> Any:
    """Any value that the field of an offer may have."""
    match field:
        case m.Range():
            return random.randrange(field.min, field.max + 1, field.step or 1)
        case m.Form():
            return sheet() if sent < LIVELY else {}
        case m.SiteChoice():
            return random.choice(field.options).to_dict()
    return random.choice(field.options)


def sheet() -> dict[str, Any]:
    """Build a station while there is money, and fill it; sell what is hit."""
    plot = m.Plot(row=random.randint(1, 6), column=random.randint(1, 6))
    station = m.AssetOrder(m.BuyAssetOrder(type="BuyAssetOrder", kind="station", plot=plot))
    rich = m.Condition(m.CashIs(type="CashIs", at_least=60))
    building = m.AssetOrder(m.IfOrder(type="IfOrder", condition=rich, then=[station]))
    many = m.BuyBarrelsOrderQuantity("max")
    barrels = m.BuyBarrelsOrder(type="BuyBarrelsOrder", market="domestic", good="gasoline", quantity=many, not_above=16)
    return dict(m.OrderSheet(orders=[building], trades=[m.TradeOrder(barrels)]).to_dict())


def read(player: Player, game: UUID) -> None:
    """Read the log in pages and as streams, the replay and the books, and say what is there."""
    print("Events:", len(list(pages(player, game))))
    for media_type in ("application/x-ndjson", "text/event-stream"):
        print(f"{media_type}:", len(list(follow(player, game, media_type))))
    print("Frames:", len(player.log.replay_game(game, by="turn", limit=1000).frames))
    print("Lines of the ledger:", len(player.log.get_ledger(game, limit=1000).lines))
    print("Trial balance:", *sorted({unit.sum for unit in player.log.get_balances(game).trial_balance}))


def pages(player: Player, game: UUID) -> Iterator[m.EventItem]:
    after: int | None = 0
    while after is not None:
        page = player.log.list_events(game, after=after, limit=100)
        yield from page.events
        after = page.next


def follow(player: Player, game: UUID, media_type: str) -> Iterator[m.EventItem]:
    """The events of a game as they happen, until it is over."""
    answer = player.log.list_events_without_preload_content(game, _headers={"Accept": media_type})
    assert isinstance(answer, HTTPResponse)
    if answer.status != 200:
        raise SystemExit(answer.data.decode())
    for line in answer:  # as the server sends them
        text = line.decode().removeprefix("data: ")
        if text.startswith("{"):  # not the other fields of SSE
            item = json.loads(text)
            if "rule" in item:
                yield m.EventItem.model_validate(m.EventItem.from_dict(item))


if __name__ == "__main__":
    main(*sys.argv[1:])
