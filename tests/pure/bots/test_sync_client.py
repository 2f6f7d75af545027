"""The client without asyncio: the same requests, retries, and streams as the one with it."""

import asyncio
import inspect
import json
import time
from collections.abc import Iterator

import httpx
import pytest

from mcmulti.client.client import Client, HttpProblem, ServerAway
from mcmulti.client.sync_client import SyncClient

Answer = httpx.Response | Exception


class Net(httpx.BaseTransport):
    """Responds to each request with the next of these responses, which may be an exception. The last one repeats."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


class Lines(httpx.SyncByteStream):
    """A stream of these items, which then breaks off, or ends with another failure."""

    def __init__(self, *items: dict[str, object], failure: Exception | None = None) -> None:
        self.items = items
        self.failure = failure or httpx.ReadError("cut")
        self.is_closed = False

    def __iter__(self) -> Iterator[bytes]:
        for item in self.items:
            yield json.dumps(item).encode() + b"\n"
        raise self.failure

    def close(self) -> None:
        self.is_closed = True


def _client(net: Net, patience: float = 30.0) -> SyncClient:
    return SyncClient("http://server", token="mcm_x", patience=patience, transport=net)


def test_it_has_every_method_of_the_other_with_the_same_parameters() -> None:
    public, own = (
        {name for name, member in vars(each).items() if inspect.isfunction(member) and name[0] != "_"}
        for each in (Client, SyncClient)
    )
    assert own == public
    for name in public:
        one, other = getattr(Client, name), getattr(SyncClient, name)
        assert (inspect.signature(other), other.__doc__) == (inspect.signature(one), one.__doc__)
        assert not inspect.iscoroutinefunction(other)
        assert not inspect.isasyncgenfunction(other)


@pytest.mark.parametrize("failure", [httpx.Response(503), httpx.ReadError("cut"), httpx.ConnectError("no")])
def test_commands_are_sent_again_under_the_same_key(failure: Answer) -> None:
    net = Net(failure, failure, httpx.Response(200, json={"seq": 5}))
    with _client(net) as client:
        assert client.send("g", [{"type": "EndTurn"}], '"4-ab"') == {"seq": 5}
    assert len(net.requests) == 3
    assert len({request.headers["Idempotency-Key"] for request in net.requests}) == 1
    assert {request.headers["If-Match"] for request in net.requests} == {'"4-ab"'}
    assert {request.headers["Authorization"] for request in net.requests} == {"Bearer mcm_x"}


def test_it_waits_as_long_as_it_is_told() -> None:
    slow_down = httpx.Response(429, headers={"Retry-After": "1"}, json={"code": "too_many_requests"})
    started = time.monotonic()
    with _client(Net(slow_down, httpx.Response(200, json={}))) as client:
        client.view("g")
    assert time.monotonic() - started >= 1


def test_problems_and_lost_servers_are_raised() -> None:
    with _client(Net(httpx.Response(409, json={"code": "cash", "detail": "No credit."}))) as client:
        with pytest.raises(HttpProblem, match=r"No credit\.") as raised:
            client.send("g", [{"type": "EndTurn"}])
        assert raised.value.code == "cash"
    with _client(Net(httpx.ConnectError("no")), patience=0.2) as client, pytest.raises(ServerAway):
        client.view("g")
    with pytest.raises(ServerAway, match="is not the address of a server"):
        SyncClient("http://a:b")


def test_a_list_is_read_to_its_last_page() -> None:
    pages = ({"games": [{"game": "c"}, {"game": "b"}], "next": "b"}, {"games": [{"game": "a"}], "next": None})
    net = Net(*(httpx.Response(200, json=page) for page in pages))
    with _client(net) as client:
        assert [table["game"] for table in client.games(free=True, limit=2)] == ["c", "b", "a"]
    assert [dict(request.url.params) for request in net.requests] == [
        {"free": "true", "limit": "2"},
        {"free": "true", "limit": "2", "before": "b"},
    ]


def test_other_lists_go_on_after_the_last_item() -> None:
    net = Net(httpx.Response(200, json={"next": 9}), httpx.Response(200, json={"next": None}))
    with _client(net) as client:
        assert list(client.pages("/v1/games/g/events", limit=9)) == [{"next": 9}, {"next": None}]
    assert [request.url.params.get("after") for request in net.requests] == [None, "9"]


def test_what_is_not_a_list_is_refused() -> None:
    net = Net(httpx.Response(200, json={"games": 3}))
    with _client(net) as client, pytest.raises(HttpProblem, match="not an mcmulti server"):
        list(client.games())


def test_a_stream_goes_on_after_the_last_event_until_the_last_view_has_come() -> None:
    """The game ends with event 3. The connection breaks before the view of the end."""
    head = {"type": "StreamHead", "seq": 1, "table": {"status": "running", "seq": 1}}
    first = Lines(head, {"type": "A", "seq": 2, "rule": "r"}, {"type": "Heartbeat"})
    end = {"type": "TableMoved", "seq": 3, "table": {"status": "finished", "seq": 3}}
    second = Lines({"type": "B", "seq": 3, "rule": "r"}, end)
    third = Lines(end, {"type": "YourView", "seq": 3})
    net = Net(*(httpx.Response(200, stream=lines) for lines in (first, second, third)))
    with _client(net) as client:
        told = [(item["type"], item["seq"]) for item in client.follow("g", 1, view="whole")]
    assert told == [("StreamHead", 1), ("A", 2), ("B", 3), ("TableMoved", 3), ("TableMoved", 3), ("YourView", 3)]
    assert [request.url.params["after"] for request in net.requests] == ["1", "2", "3"]


def _timeouts(net: Net) -> list[float]:
    return [request.extensions["timeout"]["read"] for request in net.requests]


def test_a_quiet_stream_is_not_lost() -> None:
    """The first one is given five seconds, in which something must come. After that, heartbeats come every 15."""
    head = {"type": "StreamHead", "seq": 1, "table": {"status": "finished", "seq": 1}}
    quiet = Lines(head, failure=httpx.ReadTimeout("quiet"))
    net = Net(*(httpx.Response(200, stream=lines) for lines in (quiet, Lines(head))))
    with _client(net) as client:
        told = list(client.lines("g", 1))
    assert told == [json.dumps(head)] * 2
    assert _timeouts(net) == [5, 30]


@pytest.mark.parametrize("passes_heads", [False, True])
def test_a_stream_that_is_held_back_is_polled_until_the_game_ends(passes_heads: bool) -> None:
    """The game ends with event 3. A poll that brought nothing is repeated."""
    timeout = httpx.ReadTimeout("held")
    held = httpx.Response(200, stream=Lines(failure=timeout)) if passes_heads else timeout
    running = {"type": "StreamHead", "seq": 2, "table": {"status": "running", "seq": 2}}
    end = {"type": "TableMoved", "table": {"status": "finished", "seq": 3}}
    streams = (
        [running, {"type": "A", "seq": 2, "rule": "r"}],
        [running, {"type": "B", "seq": 3, "rule": "r"}, end],
    )
    first, last = ("\n".join(map(json.dumps, items)) for items in streams)
    pages = [httpx.Response(200, json={"seq": seq}) for seq in (2, 2, 3)]
    net = Net(held, pages[0], httpx.Response(200, text=first), *pages[1:], httpx.Response(200, text=last))
    with _client(net) as client:
        told = [item["seq"] for item in client.follow("g", 1) if "rule" in item]
    assert told == [2, 3]
    asked = [dict(request.url.params) for request in net.requests]
    assert asked == [
        {"after": "1"},
        {"after": "1", "limit": "1", "wait": "0"},
        {"after": "1", "until": "2"},
        {"after": "2", "limit": "1", "wait": "25"},
        {"after": "2", "limit": "1", "wait": "25"},
        {"after": "2", "until": "3"},
    ]


def test_leaving_a_loop_ends_the_request() -> None:
    lines = Lines({"type": "A", "seq": 1, "rule": "r"}, {"type": "B", "seq": 2, "rule": "r"})
    with _client(Net(httpx.Response(200, stream=lines))) as client:
        for _ in client.follow("g"):
            break
        assert lines.is_closed


async def test_it_works_where_an_event_loop_is_running() -> None:
    """As in a notebook."""
    await asyncio.sleep(0)
    with _client(Net(httpx.Response(503), httpx.Response(200, json={"seq": 5}))) as client:
        assert client.view("g") == {"seq": 5}
