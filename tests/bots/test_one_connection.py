"""A bot on one connection: a stream, and a request for each decision, are enough for a whole game."""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from httpx import AsyncClient
from httpx import Client as SyncClient
from jsonpatch import apply_patch

from mcmulti.bots.seats.player import play
from mcmulti.bots.strategies.tycoon import tycoon
from mcmulti.client.client import Client

EXAMPLES = Path(__file__).parents[2] / "examples"
NDJSON = {"Accept": "application/x-ndjson"}


class Bot:
    """Plays the box game by the stream alone, and counts its requests."""

    def __init__(self, http: AsyncClient) -> None:
        self.http = http
        self.requests = Counter[str]()
        self.decisions = 0

    async def play(self, game: str) -> list[int]:
        known = 0
        async for item in self._items():
            if item["type"] == "GameOver":
                winners: list[int] = item["winners"]
                return winners
            if item["type"] == "YourTurn" and item["next"]["offers"]["seq"] > known:
                known = await self._move(game, item["next"])
        raise AssertionError("the stream ended")

    async def _items(self) -> AsyncIterator[dict[str, Any]]:
        self.requests["stream"] += 1
        async with self.http.stream("GET", "/v1/stream", params={"offers": True}, headers=NDJSON, timeout=120) as lines:
            async for line in lines.aiter_lines():
                yield json.loads(line)

    async def _move(self, game: str, now: dict[str, Any]) -> int:
        while now["offers"]["offers"]:
            self.decisions += 1
            self.requests["commands"] += 1
            sent = await self.http.post(
                f"/v1/games/{game}/commands",
                params={"offers": True},
                json={"commands": tycoon(now["view"], now["offers"]["offers"])},
                headers={"If-Match": now["etag"]},
                timeout=120,
            )
            if sent.status_code == 412:
                break  # the other player moved at the same moment: the stream tells it
            assert sent.status_code == 200, sent.text
            now = sent.json()["next"]
        return int(now["offers"]["seq"])


async def test_a_whole_game_takes_a_stream_and_one_request_for_each_decision(server: str) -> None:
    """The other player is a bot as it was: it looks before it moves, and answers nothing of this one's."""
    async with Client(server) as other, AsyncClient(base_url=server) as http:
        await other.register("Other", "bot")
        game = str((await other.open_game("mcmulti", seats=2))["game"])
        await other.take_seat(game)
        token = (await http.post("/v1/players", json={"name": "Streaming", "kind": "bot"})).json()["token"]
        http.headers["Authorization"] = f"Bearer {token}"
        assert (await http.post(f"/v1/games/{game}/seats", json={})).status_code == 201
        bot = Bot(http)
        view, winners = await asyncio.gather(play(other, game, tycoon), bot.play(game))
    assert view["status"] == "finished"
    assert view["winners"] == winners
    assert bot.decisions > 50
    assert bot.requests == {"stream": 1, "commands": bot.decisions}


@pytest.mark.parametrize("form", ["whole", "patch"])
async def test_a_whole_game_takes_the_stream_of_the_game_and_one_request_for_each_decision(
    server: str, form: str
) -> None:
    """The view of every moment is the one that the server shows when it is asked."""
    async with Client(server) as other, AsyncClient(base_url=server, timeout=120) as http:
        await other.register("Other", "bot")
        game = str((await other.open_game("mcmulti", seats=2))["game"])
        await other.take_seat(game)
        token = (await http.post("/v1/players", json={"name": "Streaming", "kind": "bot"})).json()["token"]
        http.headers["Authorization"] = f"Bearer {token}"
        seated = (await http.post(f"/v1/games/{game}/seats", json={})).json()
        asked = {"after": seated["seq"], "view": form, "offers": True}
        view: Any = None
        sent = 0

        async def streaming() -> None:
            nonlocal view, sent
            async with http.stream("GET", f"/v1/games/{game}/events", params=asked, headers=NDJSON) as lines:
                async for line in lines.aiter_lines():
                    item = json.loads(line)
                    if item["type"] != "YourView":
                        continue
                    assert ("view" in item) == (form == "whole" or view is None)
                    view = item["view"] if "view" in item else apply_patch(view, item["changes"])
                    if sent % 10 == 0:
                        then = await http.get(f"/v1/games/{game}", params={"at": item["seq"]})
                        assert view == then.json()["view"]
                    offers = item["offers"]["offers"]
                    if not offers or view["status"] != "running":
                        continue
                    sent += 1
                    body = {"commands": tycoon(view, offers)}
                    answered = await http.post(
                        f"/v1/games/{game}/commands", json=body, headers={"If-Match": item["etag"]}
                    )
                    assert answered.status_code in (200, 412), answered.text

        last, _ = await asyncio.gather(play(other, game, tycoon), streaming())
    assert view["status"] == "finished"
    assert view["winners"] == last["winners"]
    assert sent > 50


async def test_the_example_plays_a_game_to_its_end(server: str) -> None:
    async with Client(server) as host:
        await host.register("Host", "bot")
        game = str((await host.open_game("millionenspiel", seats=3))["game"])
    arguments = (str(EXAMPLES / "streaming_bot.py"), server, game)
    pipe = asyncio.subprocess.PIPE
    bots = [
        await asyncio.create_subprocess_exec(
            sys.executable, *arguments, f"Streaming {number}", stdout=pipe, stderr=pipe
        )
        for number in range(3)
    ]

    async def ended(bot: asyncio.subprocess.Process) -> tuple[bytes, bytes]:
        said = await bot.communicate()
        if bot.returncode:  # the others would wait for it
            for other in bots:
                with suppress(ProcessLookupError):
                    other.kill()
        return said

    said = await asyncio.gather(*map(ended, bots))
    assert [bot.returncode for bot in bots] == [0, 0, 0], said
    assert len({out for out, _ in said}) == 1
    assert said[0][0].startswith(b"Winners: ")


async def test_two_bots_of_the_example_may_start_a_game_at_once(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both see that all seats are taken. The game has started before the second one agrees."""
    monkeypatch.syspath_prepend(EXAMPLES)
    send = import_module("streaming_bot").send
    async with Client(server) as first, Client(server) as second:
        tokens = [(await each.register(name, "bot"))["token"] for each, name in ((first, "First"), (second, "Second"))]
        game = str((await first.open_game("mcmulti", seats=2))["game"])
        for each in (first, second):
            await each.take_seat(game)
        _, etag = await second.offers(game)

    def both_start() -> None:
        for token in tokens:
            with SyncClient(base_url=server, headers={"Authorization": f"Bearer {token}"}) as http:
                send(http, game, {"type": "StartGame"}, etag)

    await asyncio.to_thread(both_start)
    async with AsyncClient(base_url=server) as http:
        state = (await http.get(f"/v1/games/{game}")).json()
    assert state["view"]["status"] == "running"
