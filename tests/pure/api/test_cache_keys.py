"""What an operation declares is in the keys and tags of its responses, without a word of its handler."""

from collections.abc import AsyncIterator, Hashable, Iterator
from inspect import getclosurevars
from typing import Any
from uuid import UUID

import pytest
from httpx import ASGITransport, AsyncClient, Response
from litestar.handlers import HTTPRouteHandler
from msgspec import defstruct
from msgspec.structs import replace

from mcmulti.api.app import ROUTES, application
from mcmulti.api.caching.bodies import ResponseCache
from mcmulti.api.http.contract import NOTHING, Beside, Call, Operation, _carried_out
from mcmulti.api.http.direct import READ
from mcmulti.events.log.positions import Position
from mcmulti.events.memory.log import MemoryLog
from tests.api.guests import Table
from tests.api.sealed_game import OTHER, submit

READS: dict[str, Operation] = {
    declared.id: declared
    for route in ROUTES
    for declared in [route.opt["operation"]]
    if declared.etag and "GET" in route.http_methods
}
SHOWN: list[str] = []
"""Something that no log determines, which all operations below declare to show."""


class NotedCache(ResponseCache):
    """Counts the bodies that are put into the cache."""

    def __init__(self) -> None:
        super().__init__()
        self.made = 0

    def put(self, game_id: UUID, kind: Hashable, seat: int | None, moment: Any, body: bytes) -> bytes:
        self.made += 1
        return super().put(game_id, kind, seat, moment, body)


def extended(route: HTTPRouteHandler) -> HTTPRouteHandler:
    """The same handler, declared with a parameter `shade` and something beside the log, neither of which it knows."""
    declared: Operation = route.opt["operation"]
    if declared.id not in READS:
        return route
    before, inside = declared.beside, getclosurevars(route.fn).nonlocals
    asked = defstruct(
        "Shaded", [("shade", str, "none")], bases=(declared.query,), frozen=True, forbid_unknown_fields=True
    )

    async def beside(call: Call, position: Position, past: bool) -> Beside:
        found = NOTHING if before is None else await before(call, position, past)
        return Beside(found.value, (found.key, *SHOWN) if SHOWN else found.key)

    changed = replace(declared, query=asked, unasked=asked(), beside=beside)
    takes = {**inside["takes"], **({"query": asked} if "query" in inside["takes"] else {})}
    [path] = route.paths
    return HTTPRouteHandler(path, http_method=READ, opt={"operation": changed})(
        _carried_out(changed, inside["handler"], takes)
    )


class Shaded:
    """A game by post after its first round, whose operations are all extended."""

    def __init__(self, client: AsyncClient, game: str, token: str, cache: NotedCache) -> None:
        self._client, self._game, self._token, self._cache = client, game, token, cache

    async def get(self, name: str, shade: str = "", *, seated: bool = True, known: str = "") -> tuple[Response, int]:
        """The response, and how many bodies were made for it. `known`: the tag that the client has."""
        path = READS[name].path.format(game=self._game, chart="cash", round="1")
        headers = {**({"Authorization": f"Bearer {self._token}"} if seated else {}), "If-None-Match": known or '"x"'}
        query = {**({"text": "x"} if name == "readPhrase" else {}), **({"shade": shade} if shade else {})}
        before = self._cache.made
        answered = await self._client.get(path, params=query, headers=headers)
        assert answered.status_code in (200, 304), answered.text
        return answered, self._cache.made - before


@pytest.fixture(scope="module")
async def shaded() -> AsyncIterator[Shaded]:
    app = application(MemoryLog(), routes=[extended(route) for route in ROUTES])
    service, cache = app.state.service, NotedCache()

    async def painted(document: str) -> bytes:
        return document.encode()

    service.responses, service.paint = cache, painted
    transport = ASGITransport(app)  # type: ignore[arg-type]
    async with AsyncClient(transport=transport, base_url="http://mcmulti") as client:
        table = Table(client, service.log)
        game = await table.start(4, ruleset="postal")
        for guest in table.guests:
            assert (await guest.send(game, submit(OTHER))).status_code == 200
        yield Shaded(client, game, table.guests[0].token, cache)


@pytest.fixture
def shown() -> Iterator[list[str]]:
    yield SHOWN
    SHOWN.clear()


@pytest.mark.parametrize("name", READS)
async def test_a_new_parameter_is_in_key_and_tag(shaded: Shaded, name: str) -> None:
    plain, made = await shaded.get(name)
    blue, made_blue = await shaded.get(name, "blue")
    again, made_again = await shaded.get(name, "blue")
    red, made_red = await shaded.get(name, "red")
    assert blue.headers["etag"] == again.headers["etag"]
    assert len({response.headers["etag"] for response in (plain, blue, red)}) == 3
    assert (made_blue, made_again, made_red) == (made, 0, made)
    if "If-None-Match" in READS[name].headers:
        assert (await shaded.get(name, "blue", known=blue.headers["etag"]))[0].status_code == 304
        assert (await shaded.get(name, "red", known=blue.headers["etag"]))[0].status_code == 200


@pytest.mark.parametrize("name", READS)
async def test_what_is_shown_beside_the_log_is_in_key_and_tag(shaded: Shaded, shown: list[str], name: str) -> None:
    found = []
    for what in ("blue", "blue", "red"):
        shown[:] = [what]
        response, made = await shaded.get(name, "beside")
        found.append((response.headers["etag"], made))
    (blue, made), again, (red, made_red) = found
    assert again == (blue, 0)
    assert blue != red
    assert made == made_red


@pytest.mark.parametrize("name", [name for name, declared in READS.items() if declared.auth == "optional"])
async def test_readers_share_what_is_declared_for_all(shaded: Shaded, name: str) -> None:
    (ada, _), (nobody, made) = await shaded.get(name, "read"), await shaded.get(name, "read", seated=False)
    alike = READS[name].readers == "all"
    assert (ada.headers["etag"] == nobody.headers["etag"]) == alike
    if alike:
        assert (ada.content, made) == (nobody.content, 0)
