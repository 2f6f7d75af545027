"""House bots as opponents: where they sit down, what they leave alone, and that nobody keeps them all busy."""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from contextlib import suppress
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from mcmulti.bots.seats import crew
from mcmulti.bots.seats.opponents import AGAIN, RESTING, Opponent, Opponents
from mcmulti.client.client import HttpProblem, ServerAway

Json = dict[str, Any]
PLAYERS = {f"{level} {number}": Opponent(level, number) for level in ("random", "tycoon") for number in (1, 2, 3)}
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def seats(players: Iterable[str | None]) -> list[Json]:
    """The seats of a table, of which a person has the first."""
    return [
        {"seat": seat, "player": player, "kind": player and ("human" if seat == 0 else "bot")}
        for seat, player in enumerate(players)
    ]


class Server:
    """A server of tables of four, at each of which a person has the first seat; all are listed, newest move first."""

    def __init__(self) -> None:
        self.tables: dict[str, Json] = {}
        self.sat: list[tuple[str, int, str]] = []
        self.refuses: set[str] = set()
        self.now = NOON

    def open(self, game: str, opener: str = "Ada", levels: Iterable[str] = ("tycoon",) * 3) -> None:
        """A table that asks for bots on its last seats."""
        players = [opener, None, None, None]
        asked = [{"seat": seat, "level": level} for seat, level in enumerate(levels, 1)]
        self.tables[game] = {
            "game": game,
            "ruleset": "mcmulti",
            "status": "open",
            "opened_by": opener,
            "seq": 1,
            "to_move": [],
            "seats": seats(players),
            "house_bots": asked,
        }
        self.moves(game)

    def moves(self, game: str, *to_move: int, **now: Any) -> None:
        """Something happens there, after which the game waits for these seats."""
        self.now += timedelta(seconds=1)
        self.tables[game] |= {
            "seq": self.tables[game]["seq"] + 1,
            "to_move": list(to_move),
            "moved_at": self.now.isoformat(),
            **now,
        }

    async def games(self, *, house_bots: bool, order: str, **asked: Any) -> AsyncGenerator[Json, None]:
        assert (house_bots, order) == (True, "moved")
        for row in sorted(self.tables.values(), key=lambda row: str(row["moved_at"]), reverse=True):
            yield deepcopy(row)

    async def view(self, game: str) -> Json:
        return {"table": self.tables[game]}

    def sit(self, player: str, game: str, seat: int) -> None:
        if game in self.refuses:
            raise HttpProblem(409, {"code": "seat_taken"})
        table = self.tables[game]
        assert player not in [each["player"] for each in table["seats"]]
        table["seats"][seat] |= {"player": player, "kind": "bot"}
        table["house_bots"] = [each for each in table["house_bots"] if each["seat"] != seat]
        self.sat.append((game, seat, player))
        self.moves(game)


class Connection:
    """The connection of one of the bots."""

    def __init__(self, server: Server, player: str) -> None:
        self._server, self._player = server, player

    async def take_seat(self, game: str, seat: int) -> None:
        self._server.sit(self._player, game, seat)


class Looking:
    """Bots that poll on demand, with a clock that can be set."""

    def __init__(self, server: Server, games: int, others: int = 0) -> None:
        self.now = 0.0
        self.server: Any = server
        self.said: list[str] = []

        async def client(player: str) -> Any:
            return Connection(server, player)

        async def seed(game: str, seat: int) -> int:
            return 7

        self.bots = Opponents(
            *(PLAYERS, client, games, lambda event, **of: self.said.append(event), seed),
            others=lambda: others,
            clock=lambda: self.now,
        )

    async def look(self, group: asyncio.TaskGroup, *moments: float) -> None:
        """Poll at these times; between two polls started work goes on."""
        for self.now in moments:
            await self.bots.look(self.server, group)
            for _ in range(5):
                await asyncio.sleep(0)


class Stopped(Exception):
    """Ends a group of tasks."""


class Group(asyncio.TaskGroup):
    """A group whose tasks are canceled at the end of the block."""

    async def __aexit__(self, *raised: Any) -> None:
        if raised[1] is None:
            with suppress(ExceptionGroup):
                await super().__aexit__(Stopped, Stopped(), None)
        else:
            await super().__aexit__(*raised)


played: list[str] = []


@pytest.fixture(autouse=True)
def nobody_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    played.clear()

    async def for_ever(client: Any, game: str, strategy: Any) -> None:
        played.append(game)
        await asyncio.Event().wait()

    monkeypatch.setattr(crew, "play", for_ever)


async def test_a_table_gets_a_bot_of_each_level_asked_for_and_nobody_twice() -> None:
    server = Server()
    server.open("ada", levels=("tycoon", "random", "tycoon"))
    looking = Looking(server, 1)
    async with Group() as group:
        await looking.look(group, 0)
        assert server.sat == [("ada", 1, "tycoon 1"), ("ada", 2, "random 1"), ("ada", 3, "tycoon 2")]
        assert (looking.bots.games, played) == (1, ["ada"] * 3)
        await looking.look(group, 1, 2)
        assert len(played) == 3


async def test_no_more_games_are_played_than_may_be_and_those_of_others_count() -> None:
    server = Server()
    for number in range(4):
        server.open(f"game {number}", f"opener {number}")
    looking = Looking(server, 3, others=1)
    async with Group() as group:
        await looking.look(group, 0, 1, 2)
        assert (looking.bots.games, looking.bots.waiting) == (2, 2)
        assert len({game for game, _, _ in server.sat}) == 2


async def test_who_opened_many_tables_does_not_keep_others_waiting() -> None:
    """Eve opened three tables before Ann: of two places one is Ann's."""
    server = Server()
    server.open("ann", "Ann")
    for number in range(3):
        server.open(f"eve {number}", "Eve")
    looking = Looking(server, 2)
    async with Group() as group:
        await looking.look(group, 0)
        assert {game for game, _, _ in server.sat} == {"eve 2", "ann"}


async def test_a_game_that_waits_for_a_person_is_left_alone_until_it_moves() -> None:
    server = Server()
    server.open("ada")
    looking = Looking(server, 1)
    async with Group() as group:
        await looking.look(group, 0)
        server.moves("ada", 0, status="running")
        await looking.look(group, 1, RESTING)
        assert looking.bots.games == 1
        await looking.look(group, RESTING + 1)
        assert (looking.bots.games, len(played)) == (0, 3)
        server.moves("ada", 1)
        await looking.look(group, RESTING + 2)
        assert (looking.bots.games, len(played)) == (1, 6)


async def test_a_game_that_waits_for_a_person_makes_room_at_once_for_one_that_needs_them() -> None:
    """Of two games that wait for people, the one that did not move for longer."""
    server = Server()
    server.open("ada")
    server.open("cleo", "Cleo")
    looking = Looking(server, 2)
    async with Group() as group:
        await looking.look(group, 0)
        server.moves("cleo", 0, status="running")
        await looking.look(group, 1)
        server.moves("ada", 0, status="running")
        await looking.look(group, 2)
        server.open("ben", "Ben")
        await looking.look(group, 3)
        assert (looking.bots.games, looking.bots.waiting, server.sat[-1][0]) == (2, 0, "ben")
        played.clear()
        server.moves("ada", 1)
        await looking.look(group, 4)
        assert played == []
        server.moves("cleo", 1)
        await looking.look(group, 5)
        assert (looking.bots.waiting, played) == (1, [])  # ada and ben need theirs
        server.moves("ben", 0, status="running")
        await looking.look(group, 6)
        assert (looking.bots.waiting, played) == (0, ["cleo"] * 3)


async def test_a_game_without_people_goes_on_only_while_nobody_else_needs_its_place() -> None:
    """Eve opened two games and left them to their bots, which would play for long."""
    server = Server()
    looking = Looking(server, 2)
    for number in range(2):
        server.open(f"eve {number}", "Eve")
    async with Group() as group:
        await looking.look(group, 0)
        for number in range(2):
            table = server.tables[f"eve {number}"]
            left = [seat | ({"player": None, "kind": None} if seat["seat"] == 0 else {}) for seat in table["seats"]]
            server.moves(f"eve {number}", 1, status="running", seats=left)
        await looking.look(group, 1)
        server.open("ada")
        played.clear()
        await looking.look(group, 2, 3, 4)
        assert (looking.bots.games, looking.bots.waiting, played) == (2, 1, ["ada"] * 3)
        server.moves("ada", status="finished")
        played.clear()
        await looking.look(group, 5, 6)
        assert (looking.bots.games, looking.bots.waiting, len(played)) == (2, 0, 3)  # without people again


async def test_a_game_that_waits_for_a_bot_is_never_left_alone() -> None:
    server = Server()
    server.open("ada")
    looking = Looking(server, 1)
    async with Group() as group:
        await looking.look(group, 0)
        server.moves("ada", 2, status="running")
        await looking.look(group, 1, 10 * RESTING, 10 * RESTING + 1)
        assert looking.bots.games == 1
        assert len(played) == 3


async def test_whoever_starts_anew_goes_on_where_a_bot_is_waited_for_and_nowhere_else() -> None:
    """None of 250 abandoned games is resumed; of the two others one waits for a bot, one for its start."""
    server = Server()
    for number in range(250):
        server.open(f"abandoned {number}")
        sit = seats(("Ada", *[*PLAYERS][3:]))
        server.moves(f"abandoned {number}", 0, status="running", seats=sit, house_bots=[])
    server.moves("abandoned 7", 3)
    server.moves("abandoned 9", status="open")
    looking = Looking(server, 9)
    async with Group() as group:
        await looking.look(group, 0)
        assert sorted(played) == ["abandoned 7"] * 3 + ["abandoned 9"] * 3


async def test_what_failed_is_tried_again_later_with_the_table_of_then(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(client: Any, game: str, strategy: Any) -> None:
        played.append(game)
        raise ServerAway("gone")

    monkeypatch.setattr(crew, "play", fails)
    server = Server()
    server.open("ada")
    looking = Looking(server, 1)
    async with Group() as group:
        await looking.look(group, 0)
        server.moves("ada", 1, status="running")
        played.clear()
        await looking.look(group, AGAIN - 1)
        await looking.look(group, 2 * AGAIN, 2 * AGAIN + 1)
        assert len(played) >= 3
        assert looking.said.count("a house bot sat down") == 3


async def test_where_somebody_was_quicker_they_wait_until_the_table_changes() -> None:
    server = Server()
    server.open("ada")
    server.refuses.add("ada")
    looking = Looking(server, 1)
    async with Group() as group:
        await looking.look(group, *range(0, 100, 10))
        assert looking.said == ["a house bot cannot go on"]
        server.refuses.clear()
        server.moves("ada")
        await looking.look(group, 101)
        assert len(server.sat) == 3


async def test_a_level_of_another_build_leaves_its_seat_free() -> None:
    server = Server()
    server.open("ada", levels=("oracle", "tycoon"))
    looking = Looking(server, 1)
    async with Group() as group:
        await looking.look(group, 0)
        assert server.sat == [("ada", 2, "tycoon 1")]
