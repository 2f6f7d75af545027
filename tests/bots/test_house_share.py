"""House bots: nobody keeps them all busy with abandoned tables."""

import asyncio
from contextlib import suppress
from typing import Any

import msgspec
import pytest

from mcmulti.bots.seats import house
from mcmulti.bots.seats.house import House

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

    async def content(self, path: str, **asked: Any) -> bytes:
        mine = [each for each in self.waiting if each["game"] in self.sat]
        left = [each for each in self.waiting if each["game"] not in self.sat]
        return msgspec.json.encode({"games": mine if asked.get("mine") else left, "next": None})

    async def take_seat(self, game: str, seat: int) -> None:
        self.sat.append(game)
        [left] = [each for each in self.waiting if each["game"] == game]
        left["seats"][seat] |= {"player": BOT, "state": "house"}


class Moving(Lists):
    """The same, but something happens in the first game between two looks."""

    async def content(self, path: str, **asked: Any) -> bytes:
        self.waiting[0]["seq"] += 1
        return await super().content(path, **asked)


async def _seed(game: str, seat: int) -> int:
    return 7


async def _for_ever(*_: Any) -> None:
    await asyncio.Event().wait()


class Looking:
    """House bots that look when they are told, by a clock that is set."""

    def __init__(self, server: Lists, games: int) -> None:
        self.now = 0.0
        clients: dict[str, Any] = {BOT: server}
        self.house = House(clients, games, lambda event, **of: None, _seed, lambda: self.now)

    async def look(self, *moments: float) -> None:
        """Look at these seconds; whatever is played then is broken off."""
        async with asyncio.timeout(30):
            group = asyncio.TaskGroup()
            with suppress(ExceptionGroup):
                async with group:
                    for self.now in moments:
                        await self.house.look(group)
                    raise RuntimeError("enough")


@pytest.fixture(autouse=True)
def nobody_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "play", _for_ever)


async def test_those_who_open_tables_share_the_bots() -> None:
    """Eve left three tables, Ann one: of two places one is Ann's, though hers is listed last."""
    server = Lists(*(table(f"eve {number}", "Eve") for number in range(3)), table("ann", "Ann"))
    await Looking(server, 2).look(0, 1, 2)
    assert server.sat == ["eve 0", "ann"]


async def test_a_table_that_does_not_move_keeps_no_bot_busy() -> None:
    """There is one place. Eve's tables stand still for a minute, and Ann's is taken."""
    server = Lists(*(table(f"eve {number}", "Eve") for number in range(3)), table("ann", "Ann"))
    await Looking(server, 1).look(0, 30, 59, 60, 61)
    assert server.sat == ["eve 0", "ann"]


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
