"""A player on a client that openapi-generator generated for Python, with pydantic, and whole games of it:

    PYTHONPATH=CLIENT python -m tests.slow.clients.python.openapi_generator http://127.0.0.1:8000 marracash 3

CLIENT is the folder with `mcmulti_client`, generated from the contract of that rule set.
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

from tests.slow.clients.python.games import Offered, main

[NEW_GAME] = [kind for name, kind in vars(m).items() if name.startswith("New") and name.endswith("Game")]
"""What a game is opened with: the contract of one rule set has one of these."""


class Player:
    """A player with a token, and a client that sends the token."""

    def __init__(self, server: str, name: str) -> None:
        anonymous = api.PlayersApi(ApiClient(Configuration(host=server)))
        token = anonymous.register_player(m.NewPlayer(name=name), idempotency_key=str(uuid4())).token
        client = ApiClient(Configuration(host=server, access_token=token))
        self.games, self.play, self.log = api.GamesApi(client), api.PlayApi(client), api.LogApi(client)

    def open_game(self, new: dict[str, Any]) -> UUID:
        game: UUID = self.games.open_game(NEW_GAME.from_dict(new)).game
        return game

    def take_seat(self, game: UUID) -> None:
        self.play.take_seat(game, m.Join(entropy=uuid4().hex))

    def offered(self, game: UUID) -> Offered:
        now = self.play.list_offers_with_http_info(game)
        offers = [
            (offer.command, {name: field.actual_instance for name, field in (offer.fields or {}).items()})
            for offer in now.data.offers
        ]
        return Offered(now.data.to_move, offers, now.headers["etag"])

    def any_value(self, field: Any, lively: bool) -> Any:
        match field:
            case m.Range():
                return random.randrange(field.min, field.max + 1, field.step or 1)
            case m.Form():
                return sheet() if lively else {}
        value = random.choice(field.options)
        return value.to_dict() if hasattr(value, "to_dict") else value

    def send(self, game: UUID, command: dict[str, Any], etag: str) -> list[int]:
        commands = m.Commands.model_validate(m.Commands.from_dict({"commands": [command]}))
        try:
            result = self.play.send_commands(game, commands, idempotency_key=str(uuid4()), if_match=etag)
        except ApiException as refusal:
            if not (isinstance(refusal.data, m.Problem) and refusal.data.status == 412):
                raise
            return self.offered(game).to_move  # the game went on: look again
        return list(result.table.to_move)

    def view(self, game: UUID) -> Any:
        return self.games.get_game(game).view

    def read(self, game: UUID) -> None:
        print("Events:", len(list(self._pages(game))))
        for media_type in ("application/x-ndjson", "text/event-stream"):
            print(f"{media_type}:", len(list(follow(self.log, game, media_type))))
        print("Frames:", len(self.log.replay_game(game, by="turn", limit=1000).frames))
        print("Lines of the ledger:", len(self.log.get_ledger(game, limit=1000).lines))
        print("Trial balance:", *sorted({unit.sum for unit in self.log.get_balances(game).trial_balance}))

    def _pages(self, game: UUID) -> Iterator[m.EventItem]:
        after: int | None = 0
        while after is not None:
            page = self.log.list_events(game, after=after, limit=100)
            yield from page.events
            after = page.next


def follow(log: api.LogApi, game: UUID, media_type: str) -> Iterator[m.EventItem]:
    """The events of a game as they happen, until it is over."""
    answer = log.list_events_without_preload_content(game, _headers={"Accept": media_type})
    assert isinstance(answer, HTTPResponse)
    if answer.status != 200:
        raise SystemExit(answer.data.decode())
    for line in answer:  # as the server sends them
        text = line.decode().removeprefix("data: ")
        if text.startswith("{"):  # not the other fields of SSE
            item = json.loads(text)
            if "rule" in item:
                yield m.EventItem.model_validate(m.EventItem.from_dict(item))


def sheet() -> dict[str, Any]:
    """Build a station while there is money, and fill it; sell what is hit."""
    plot = m.Plot(row=random.randint(1, 6), column=random.randint(1, 6))
    station = m.AssetOrder(m.BuyAssetOrder(type="BuyAssetOrder", kind="station", plot=plot))
    rich = m.Condition(m.CashIs(type="CashIs", at_least=60))
    building = m.AssetOrder(m.IfOrder(type="IfOrder", condition=rich, then=[station]))
    many = m.BuyBarrelsOrderQuantity("max")
    barrels = m.BuyBarrelsOrder(type="BuyBarrelsOrder", market="domestic", good="gasoline", quantity=many, not_above=16)
    return dict(m.OrderSheet(orders=[building], trades=[m.TradeOrder(barrels)]).to_dict())


if __name__ == "__main__":
    main(Player, *sys.argv[1:])
