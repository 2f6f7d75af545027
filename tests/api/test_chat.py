"""Chat at tables, over the API of two servers."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
from httpx import AsyncClient, Response

from mcmulti.api.admission.gate import Admission
from mcmulti.api.chat.operations import BOUNDS
from mcmulti.api.chat.texts import LONGEST, plain_text, quick_replies
from mcmulti.api.http.problems import ApiError
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.server.process import answering, bound
from tests.api.guests import Json, problem
from tests.api.stream_client import NDJSON, StreamClient
from tests.api.two_servers import TwoServers, Visitor, two_servers

BOTH = ["players", "spectators"]


async def read(visitor: Visitor, game: str, query: str = "", server: int = 0) -> Json:
    answered = await visitor.get(f"/v1/games/{game}/chat{query}", server)
    assert answered.status_code == 200, answered.text
    assert answered.headers["cache-control"] == "no-store"
    told: Json = answered.json()
    return told


def texts(chat: Json) -> list[Any]:
    return [each["untrusted_text"] or each["quick_reply"] for each in chat["messages"]]


async def say(visitor: Visitor, game: str, room: str, text: str = "", server: int = 0, **more: Any) -> Response:
    headers = {"Idempotency_Key": more.pop("key")} if "key" in more else {}
    return await visitor.post(f"/v1/games/{game}/chat", {"room": room, "text": text, **more}, server, **headers)


async def said(visitor: Visitor, game: str, room: str, text: str, server: int = 0) -> Json:
    answered = await say(visitor, game, room, text, server)
    assert answered.status_code == 201, answered.text
    told: Json = answered.json()
    return told


async def removed(visitor: Visitor, game: str, message: int) -> Response:
    at = visitor._at[0]
    return await at.delete(f"/v1/games/{game}/chat/{message}")


async def seated(servers: TwoServers, chat: list[str] = BOTH) -> tuple[Visitor, Visitor, Visitor, str]:
    """Ada and Ben play at Ada's table, and Eve looks on."""
    ada, ben, eve = [await servers.guest(name) for name in ("Ada", "Ben", "Eve")]
    game = str((await ada.opens(chat=chat))["game"])
    for guest in (ada, ben):
        assert (await guest.sits(game)).status_code == 201
    await ada.sends(game, "StartGame")
    return ada, ben, eve, game


async def test_players_and_spectators_chat_apart_on_every_server(servers: TwoServers) -> None:
    ada, ben, eve, game = await seated(servers)
    first = await said(ada, game, "players", "Good luck, Ben: <b>& you'll need it</b>")
    second = await said(ben, game, "players", "Thanks 👍", server=1)
    aside = await said(eve, game, "spectators", "Ben has sold too early.")
    assert first == {
        "id": first["id"],
        "changed": first["id"],
        "room": "players",
        "player": ada.id,
        "name": "Ada",
        "said_at": first["said_at"],
        "untrusted_text": "Good luck, Ben: <b>& you'll need it</b>",
        "quick_reply": None,
        "removed_by": None,
    }
    for server in (0, 1):
        for player in (ada, ben):
            chat = await read(player, game, server=server)
            assert (chat["rooms"], chat["messages"], chat["more"]) == (["players"], [first, second], False)
            assert chat["last"] == second["id"]
        chat = await read(eve, game, server=server)
        assert (chat["rooms"], chat["messages"]) == (["spectators"], [aside])
    anybody = await servers.client.get(f"/v1/games/{game}/chat")
    assert anybody.json()["messages"] == [aside]
    problem(await servers.client.post(f"/v1/games/{game}/chat", json={"room": "spectators"}), 401, "unauthenticated")
    problem(await say(eve, game, "players", "Let me in"), 403, "not_in_room")
    problem(await say(ben, game, "spectators", "Help me"), 403, "not_in_room")
    page = await read(ben, game, "?limit=1")
    assert (texts(page), page["more"], page["last"]) == ([first["untrusted_text"]], True, first["id"])
    page = await read(ben, game, f"?after={page['last']}")
    assert (texts(page), page["more"]) == (["Thanks 👍"], False)
    page = await read(eve, game, f"?after={aside['id']}")
    assert (page["messages"], page["last"]) == ([], aside["id"])


async def test_after_the_end_players_join_the_spectators_and_their_own_room_stays_theirs(servers: TwoServers) -> None:
    ada, ben, eve, game = await seated(servers)
    await said(ada, game, "players", "between us")
    await said(eve, game, "spectators", "among spectators")
    await ben.sends(game, "Resign")
    assert texts(await read(ada, game)) == ["between us", "among spectators"]
    assert texts(await read(eve, game)) == ["among spectators"]
    await said(ada, game, "spectators", "Thanks for watching!")
    assert texts(await read(eve, game)) == ["among spectators", "Thanks for watching!"]


async def test_a_table_has_the_rooms_that_its_opener_wanted(servers: TwoServers) -> None:
    ada, ben, eve, game = await seated(servers, ["spectators"])
    assert (await ada.get(f"/v1/games/{game}")).json()["table"]["chat"] == ["spectators"]
    assert (await read(ada, game))["rooms"] == []
    problem(await say(ada, game, "players", "hello"), 403, "not_in_room")
    await said(eve, game, "spectators", "hello")
    quiet = str((await ada.opens())["game"])
    assert "chat" not in (await ada.get(f"/v1/games/{quiet}")).json()["table"]
    told = await read(eve, quiet)
    assert (told["rooms"], told["messages"], told["quick_replies"]) == ([], [], [])
    problem(await say(eve, quiet, "spectators", "hello"), 403, "not_in_room")
    twice = await ada.opens(chat=["spectators", "players"])
    assert twice["table"]["chat"] == BOTH
    await ben.sends(game, "Resign")
    again = await ben.post(f"/v1/games/{game}/rematch")
    assert again.json()["table"]["chat"] == ["spectators"]
    problem(await eve.get("/v1/games/00000000-0000-4000-8000-000000000000/chat"), 404, "unknown_game")


async def test_an_opener_who_repeats_the_request_wants_the_same_rooms(servers: TwoServers) -> None:
    ada = await servers.guest("Ada")
    first = await ada.opens(key="table", chat=BOTH)
    assert (await ada.opens(key="table", chat=BOTH))["game"] == first["game"]
    body = {"ruleset": "mcmulti", "setup": {"seats": 2, "first_seat": 0}}
    problem(await ada.post("/v1/games", body, Idempotency_Key="table"), 422, "key_reused")


async def test_quick_replies_are_read_in_ones_own_language(servers: TwoServers) -> None:
    ada, ben, _, game = await seated(servers)
    told = await say(ada, game, "players", quick_reply="good_game")
    assert (told.json()["quick_reply"], told.json()["untrusted_text"]) == ("good_game", None)
    german = {each["id"]: each["text"] for each in (await read(ben, game, "?language=de"))["quick_replies"]}
    assert german["good_game"] == "Gutes Spiel!"
    assert german.keys() == {each.id for each in quick_replies("en")}
    problem(await say(ada, game, "players", quick_reply="you_lose"), 422, "unknown_quick_reply")
    problem(await say(ada, game, "players", "text", quick_reply="good_game"), 422, "unfit_message")
    problem(await say(ada, game, "players"), 422, "unfit_message")


@pytest.mark.parametrize(
    "text",
    [
        "two\nlines",
        "a\ttab",
        "bell \a",
        "turned \u202e around",
        "isolated \u2066 part",
        "zero\u200bwidth",
        "not\u200cjoined",
        "\u0646\u200c\u200c\u062e",
        "\u0646\u200c",
        "hidden \U000e0041\U000e0042",
        "selected a\U000e0101\U000e0102",
        "piled o\u0300\u0301\u0302\u0303",
        "   ",
        "\u3164",
        "line \u2028 separator",
        "private \ue000",
    ],
)
def test_what_cannot_be_shown_is_refused(text: str) -> None:
    with pytest.raises(ApiError) as refused:
        plain_text(text)
    assert refused.value.problem.code == "unprintable_text"


@pytest.mark.parametrize(
    "text",
    [
        "Grüße, 你好, שלום, नमस्ते, ❤️ 👨‍👩‍👧!",
        "\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # in Persian, it keeps letters apart
        "\u0915\u094d\u200c\u0937",  # and in Hindi
        "e\u0301te",
        "<script>alert(1)</script>",
        "x" * LONGEST,
    ],
)
def test_what_people_write_is_kept_as_they_wrote_it(text: str) -> None:
    assert plain_text(f" {text}  ") == text


async def test_texts_are_short_and_plain(servers: TwoServers) -> None:
    ada, _, _, game = await seated(servers)
    assert problem(await say(ada, game, "players", "a\u202eb"), 422, "unprintable_text")["field"] == "text"
    problem(await say(ada, game, "players", "x" * (LONGEST + 1)), 400, "invalid_body")
    problem(await say(ada, game, "nobody", "x"), 400, "invalid_body")
    lone = await ada._at[0].client.post(
        f"/v1/games/{game}/chat",
        content=b'{"room": "players", "text": "\\ud800"}',
        headers={"Authorization": f"Bearer {ada._at[0].token}", "Content-Type": "application/json"},
    )
    assert lone.status_code in (400, 422), lone.text
    assert (await read(ada, game))["messages"] == []


async def test_a_repeated_request_says_nothing_more(servers: TwoServers) -> None:
    ada, ben, _, game = await seated(servers)
    first = await say(ada, game, "players", "once", key="k")
    again = await say(ada, game, "players", "once", server=1, key="k")
    assert (again.status_code, again.json()) == (201, first.json())
    assert again.headers["idempotent-replayed"] == "true"
    assert "idempotent-replayed" not in first.headers
    problem(await say(ada, game, "players", "something else", key="k"), 422, "key_reused")
    await said(ben, game, "players", "mine")
    assert texts(await read(ada, game)) == ["once", "mine"]


async def test_nobody_says_too_much_at_a_table(servers: TwoServers) -> None:
    ada, ben, _, game = await seated(servers)
    answered = await asyncio.gather(
        *(say(ada, game, "players", str(number), number % 2) for number in range(BOUNDS.of_author + 2))
    )
    assert sorted(each.status_code for each in answered) == [201] * BOUNDS.of_author + [429] * 2
    late = await say(ada, game, "players", "more")
    told = problem(late, 429, "too_many_requests")
    assert (told["quota"], told["retry_after"], late.headers["retry-after"]) == ("chat_messages", 60, "60")
    await said(ben, game, "players", "calm down")
    assert len((await read(ben, game))["messages"]) == BOUNDS.of_author + 1


async def test_messages_are_removed_by_their_authors_and_those_of_spectators_by_the_opener(
    servers: TwoServers,
) -> None:
    ada, ben, eve, game = await seated(servers)
    mine, yours = await said(ada, game, "players", "oops"), await said(ben, game, "players", "ours")
    theirs = await said(eve, game, "spectators", "rude")
    problem(await removed(ada, game, yours["id"]), 403, "not_author")
    problem(await removed(ben, game, theirs["id"]), 404, "unknown_message")
    problem(await removed(eve, game, yours["id"]), 404, "unknown_message")
    problem(await removed(eve, game, 17), 404, "unknown_message")
    gone = await removed(ada, game, mine["id"])
    assert gone.json() == {**mine, "changed": gone.json()["changed"], "untrusted_text": None, "removed_by": "author"}
    assert gone.json()["changed"] > yours["id"]
    assert (await removed(ada, game, mine["id"])).json() == gone.json()
    assert (await read(ben, game, f"?after={yours['id']}"))["messages"] == [gone.json()]
    assert (await removed(ada, game, theirs["id"])).json()["removed_by"] == "opener"
    assert texts(await read(eve, game)) == [None]


async def test_who_may_read_a_message_may_report_it(servers: TwoServers) -> None:
    ada, ben, eve, game = await seated(servers)
    rude = await said(ben, game, "players", "You fool")
    path = f"/v1/games/{game}/chat/{rude['id']}/flags"
    problem(await eve.post(path, {}), 404, "unknown_message")
    problem(await ada.post(f"/v1/games/{game}/chat/none/flags", {}), 404, "unknown_message")
    problem(await ada.post(path, {"reason": "a\u202eb"}), 422, "unprintable_text")
    for reason in ("insult", "again"):
        assert (await ada.post(path, {"reason": reason})).status_code == 201
    assert texts(await read(ben, game)) == ["You fool"]


async def test_an_erased_player_leaves_no_messages(servers: TwoServers) -> None:
    ada, ben, _, game = await seated(servers)
    await said(ben, game, "players", "forget me")
    kept = await said(ada, game, "players", "remember me")
    await ben.erases_itself()
    assert (await read(ada, game))["messages"] == [kept]


@pytest.fixture
async def listening(database: str) -> AsyncIterator[TwoServers]:
    """Two servers on a PostgreSQL, over sockets."""
    async with AsyncExitStack() as stack:
        clients = []
        for _ in range(2):
            log = await stack.enter_async_context(PostgresLog.open(database, pool_size=4, patience=30.0))
            listener = stack.enter_context(bound("127.0.0.1", 0))
            address = await stack.enter_async_context(answering(log, listener))
            client = AsyncClient(base_url=address, timeout=60, trust_env=False)
            clients.append(await stack.enter_async_context(client))
        yield TwoServers(tuple(clients))


async def test_who_follows_a_game_is_told_what_is_said_and_removed(listening: TwoServers) -> None:
    """At either server, each what it may read, in the same stream, and only if that was requested."""
    servers = listening
    ada, ben, eve, game = await seated(servers)
    before = await said(ada, game, "players", "before")
    async with (
        following(ada, game, "?chat=0") as players,
        following(ben, game, f"?chat={before['id']}", server=1) as late,
        following(eve, game, "?chat=0", server=1) as spectators,
        following(ben, game) as quiet,
    ):
        assert await changes(players, 1) == [before]
        second = await said(ben, game, "players", "during", server=1)
        aside = await said(eve, game, "spectators", "aside")
        gone = (await removed(ada, game, before["id"])).json()
        assert await changes(players, 2) == [second, gone]
        assert await changes(late, 2) == [second, gone]
        assert await changes(spectators, 1) == [aside]
        await ben.sends(game, "Resign")
        for stream in (players, late, spectators, quiet):
            rest = [item async for item in stream]
            assert not [item for item in rest if item["type"] == "ChatChanged"]
            assert rest[-1]["type"] == "TableMoved"


@asynccontextmanager
async def following(
    visitor: Visitor, game: str, query: str = "", server: int = 0
) -> AsyncIterator[AsyncIterator[Json]]:
    """The items of the stream of a game, as they come."""
    at = visitor._at[server]
    address = str(at.client.base_url)
    async with StreamClient.open(address, f"/v1/games/{game}/events{query}", NDJSON, at.token) as stream:
        yield (message.data async for message in stream.messages() if message.data is not None)


async def changes(stream: AsyncIterator[Json], number: int) -> list[Json]:
    """The next changes of the chat in a stream, without their types."""
    found = []
    async for item in stream:
        if item.pop("type") == "ChatChanged":
            found.append(item)
        if len(found) == number:
            return found
    raise AssertionError(f"the stream ended after {found}")


async def test_a_server_without_chat_opens_no_tables_with_one_and_shows_none() -> None:
    log = MemoryLog()
    async with two_servers((log, log)) as on, two_servers((log, log), Admission(chat=False)) as off:
        ada, ben, eve, game = await seated(on)
        del ben
        await said(eve, game, "spectators", "hello")
        there = Visitor("Ada", {"player": ada.id, "token": ada._at[0].token}, off.clients)
        told = await read(there, game)
        assert (told["rooms"], told["messages"]) == ([], [])
        problem(await say(there, game, "players", "hello"), 409, "no_chat")
        body = {"ruleset": "mcmulti", "setup": {"seats": 2}, "chat": ["players"]}
        problem(await there.post("/v1/games", body), 409, "no_chat")
        assert json.dumps(told["quick_replies"]) == "[]"
