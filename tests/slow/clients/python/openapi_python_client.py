"""A player on a client that openapi-python-client generated, and whole games of it:

    PYTHONPATH=CLIENT python -m tests.slow.clients.python.openapi_python_client http://127.0.0.1:8000 marracash 3

CLIENT is the folder with `mcmulti_client`, generated from the contract of that rule set.
"""

import json
import random
import sys
from collections.abc import Iterator
from typing import Any, TypeVar
from uuid import UUID, uuid4

from mcmulti_client import AuthenticatedClient, Client
from mcmulti_client import models as m
from mcmulti_client.api.games import get_game, open_game
from mcmulti_client.api.log import get_balances, get_ledger, list_events, replay_game
from mcmulti_client.api.play import list_offers, send_commands, take_seat
from mcmulti_client.api.players import register_player
from mcmulti_client.types import Response

from tests.slow.clients.python.games import Offered, main

T = TypeVar("T")
[NEW_GAME] = [kind for name, kind in vars(m).items() if name.startswith("New") and name.endswith("Game")]
"""What a game is opened with: the contract of one rule set has one of these."""
SHEET = {
    "orders": [{"type": "BuyAssetOrder", "kind": "station", "plot": {"row": 2, "column": 5}}],
    "trades": [
        {"type": "BuyBarrelsOrder", "market": "domestic", "good": "gasoline", "quantity": "max", "not_above": 16}
    ],
}


class Player:
    """A player with a token, and a client that sends the token."""

    def __init__(self, server: str, name: str) -> None:
        with Client(base_url=server) as anonymous:
            new = m.NewPlayer(name)
            registered = expected(m.Registered, register_player.sync_detailed(client=anonymous, body=new))
        self.client = AuthenticatedClient(base_url=server, token=registered.token)

    def open_game(self, new: dict[str, Any]) -> UUID:
        opened = open_game.sync_detailed(client=self.client, body=NEW_GAME.from_dict(new))
        game: UUID = expected(m.NewlyOpened, opened).game
        return game

    def take_seat(self, game: UUID) -> None:
        expected(m.Result, take_seat.sync_detailed(game, client=self.client, body=m.Join(entropy=uuid4().hex)))

    def offered(self, game: UUID) -> Offered:
        answer = list_offers.sync_detailed(game, client=self.client)
        now = expected(m.Offers, answer)
        offers = [(each.command, each.fields.additional_properties if each.fields else {}) for each in now.offers]
        return Offered(now.to_move, offers, answer.headers["ETag"])

    def any_value(self, field: Any, lively: bool) -> Any:
        if isinstance(field, m.Form):
            return SHEET if lively else {}
        if isinstance(field, m.Range):
            return random.randrange(field.min_, field.max_ + 1, field.step or 1)
        value = random.choice(field.options)
        return value.to_dict() if hasattr(value, "to_dict") else value

    def send(self, game: UUID, command: dict[str, Any], etag: str) -> list[int]:
        body = m.Commands.from_dict({"commands": [command]})
        answer = send_commands.sync_detailed(
            game, client=self.client, body=body, if_match=etag, idempotency_key=str(uuid4())
        )
        if answer.status_code == 412:  # the game went on: look again
            return self.offered(game).to_move
        return list(expected(m.Result, answer).table.to_move)

    def view(self, game: UUID) -> Any:
        return expected(m.GameView, get_game.sync_detailed(game, client=self.client)).view

    def read(self, game: UUID) -> None:
        print("Events:", len(list(self._pages(game))))
        for media_type in ("application/x-ndjson", "text/event-stream"):
            print(f"{media_type}:", len(list(self._follow(game, media_type))))
        replay = replay_game.sync_detailed(game, client=self.client, by="turn", limit=1000)
        print("Frames:", len(expected(m.Replay, replay).frames))
        ledger = get_ledger.sync_detailed(game, client=self.client, limit=1000)
        print("Lines of the ledger:", len(expected(m.Ledger, ledger).lines))
        balances = expected(m.Balances, get_balances.sync_detailed(game, client=self.client))
        print("Trial balance:", *sorted({unit.sum_ for unit in balances.trial_balance}))

    def _pages(self, game: UUID) -> Iterator[m.EventItem]:
        after: int | None = 0
        while after is not None:
            page = expected(m.Events, list_events.sync_detailed(game, client=self.client, after=after, limit=100))
            yield from page.events
            after = page.next_

    def _follow(self, game: UUID, media_type: str) -> Iterator[m.EventItem]:
        """The events of a game as they happen, until it is over; the generated code would read the whole answer."""
        http = self.client.get_httpx_client()
        with http.stream("GET", f"/v1/games/{game}/events", headers={"Accept": media_type}) as answer:
            for line in answer.iter_lines():
                text = line.removeprefix("data: ")
                if text.startswith("{"):  # not the other fields of SSE
                    item = json.loads(text)
                    if "rule" in item:
                        yield m.EventItem.from_dict(item)


def expected(kind: type[T], response: Response[Any]) -> T:
    if isinstance(response.parsed, kind):
        return response.parsed
    raise SystemExit(f"{response.status_code}: {response.content.decode()}")


if __name__ == "__main__":
    main(Player, *sys.argv[1:])
