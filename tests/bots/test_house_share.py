"""House bots: nobody can keep them all busy with abandoned tables."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack
from copy import deepcopy
from typing import Any

import pytest

from mcmulti.bots.seats import crew, house
from mcmulti.bots.seats.desk import Desk
from mcmulti.bots.seats.house import Duty, House, Staff
from mcmulti.client.client import ServerAway

Json = dict[str, Any]
BOT = "686f7573-6520-4626-8f74-000000000001"


def table(game: str, opener: str, seq: int = 10) -> Json:
    """A running game whose second seat waits for a house bot."""
    seats = [{"seat": 0, "player": opener, "state": "taken"}, {"seat": 1, "player": None, "state": "reserved"}]
    return {"game": game, "ruleset": "mcmulti", "opened_by": opener, "seq": seq, "seats": seats}


class Lists:
    """A server that lists tables, and notes where a house bot sits down."""

    def __init__(self, *waiting: Json) -> None:
        self.waiting = list(waiting)
        self.sat: list[str] = []

    async def games(self, *, mine: bool = False, **asked: Any) -> AsyncGenerator[Json, None]:
        for each in [each for each in self.waiting if (each["game"] in self.sat) == mine]:
            yield deepcopy(each)

    async def take_seat(self, game: str, seat: int) -> None:
        self.sat.append(game)
        [left] = [each for each in self.waiting if each["game"] == game]
        left["seats"][seat] |= {"player": BOT, "state": "house"}


class Moving(Lists):
    """The same, but something happens in the first game between two polls, or in `every` one except those `still`."""

    def __init__(self, *waiting: Json, every: bool = False) -> None:
        super().__init__(*waiting)
        self.every = every
        self.still: set[str] = set()

    async def games(self, *, mine: bool = False, **asked: Any) -> AsyncGenerator[Json, None]:
        for each in self.waiting if self.every else self.waiting[:1]:
            each["seq"] += each["game"] not in self.still
        async for table in super().games(mine=mine):
            yield table


async def _seed(game: str, seat: int) -> int:
    return 7


async def _for_ever(*_: Any) -> None:
    await asyncio.Event().wait()


class Enough(Exception):
    """Everything has been polled."""


class Looking:
    """House bots that poll on demand, with a clock that can be set."""

    def __init__(self, server: Lists, games: int) -> None:
        self.now = 0.0
        clients: dict[str, Any] = {BOT: server}
        self.played_at_last: set[str] = set()
        self.house = House(clients, games, lambda event, **of: None, _seed, lambda: self.now)

    async def look(self, *moments: float, then: dict[int, Callable[[], Awaitable[None]]] | None = None) -> None:
        """Poll at these times, and `then` do something; games in progress at the end are abandoned."""
        async with asyncio.timeout(30):
            group = asyncio.TaskGroup()
            try:
                async with group:
                    for self.now in moments:
                        await self.house.look(group)
                        if then is not None and self.now in then:
                            await then[int(self.now)]()
                    self.played_at_last = self.playing
                    raise Enough
            except* Enough:
                pass

    @property
    def playing(self) -> set[str]:
        """The games that are played."""
        return {game for game, _ in self.house._playing}


@pytest.fixture(autouse=True)
def nobody_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "play", _for_ever)


async def test_those_who_open_tables_share_the_bots() -> None:
    """Eve left three tables, Ann one: of two places one is Ann's, though hers is listed last."""
    server = Lists(*(table(f"eve {number}", "Eve") for number in range(3)), table("ann", "Ann"))
    await Looking(server, 2).look(0, 1, 2)
    assert server.sat == ["eve 0", "ann"]


async def test_a_table_that_does_not_move_keeps_no_bot_busy() -> None:
    """There is one place. Eve's tables stand still for a minute, and the bot goes to Ann's."""
    server = Lists(*(table(f"eve {number}", "Eve") for number in range(3)), table("ann", "Ann"))
    await Looking(server, 1).look(0, 30, 59, 60, 61)
    assert server.sat == ["eve 0", "ann"]


async def test_who_has_all_the_bots_makes_room_for_somebody_who_has_none() -> None:
    """Both places are at Eve's moving tables when Ann's is left: one of Eve's rests until Ann's stands still."""
    server = Moving(table("eve 0", "Eve"), table("eve 1", "Eve"), every=True)
    looking = Looking(server, 2)

    async def ann_is_left() -> None:
        assert looking.playing == {"eve 0", "eve 1"}
        server.waiting.append(table("ann", "Ann"))

    async def ann_plays() -> None:
        assert looking.playing == {"eve 1", "ann"}
        server.still.add("ann")

    moments = [*range(0, 40, 2), *range(40, 200, 2)]
    await looking.look(*moments, then={38: ann_is_left, 60: ann_plays})
    assert looking.played_at_last == {"eve 0", "eve 1", "ann"}
    assert server.sat == ["eve 0", "eve 1", "ann"]


async def test_a_table_that_moves_keeps_its_bot() -> None:
    """There is one place, and Eve's table goes on: Ann waits."""
    server = Moving(table("eve", "Eve"), table("ann", "Ann"))
    await Looking(server, 1).look(*(20.0 * number for number in range(15)))
    assert server.sat == ["eve"]


async def test_even_tables_that_stand_still_are_not_taken_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "SEATS", 3)
    server = Lists(*(table(f"table {number}", f"player {number}") for number in range(9)))
    await Looking(server, 1).look(*(100.0 * number for number in range(12)))
    assert len(server.sat) == 3


async def test_bots_wait_until_their_server_has_tokens_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when the database is down while they start."""
    monkeypatch.setattr(house, "LOOK", 0.0)
    reasons: list[str] = []
    monkeypatch.setattr(house, "_say", lambda event, **of: reasons.append(of["reason"]))
    there = asyncio.Event()

    class Away(Desk):
        async def token(self, player: str) -> str:
            if len(reasons) < 3:
                raise ServerAway("The server cannot provide the token at the moment.")
            there.set()
            return "mcm_token"

    async with AsyncExitStack() as stack:
        staff = Staff(Duty("http://127.0.0.1:1", (BOT,), {}, 1), Away(house._say), stack)
        working = asyncio.create_task(staff.run())
        await asyncio.wait({working, asyncio.create_task(there.wait())}, return_when=asyncio.FIRST_COMPLETED)
        assert there.is_set()
        assert not working.done()
        assert reasons == ["The server cannot provide the token at the moment."] * 3
        working.cancel()
        await asyncio.wait({working})
