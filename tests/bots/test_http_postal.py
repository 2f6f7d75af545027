"""Bots by post at a real server: a game that waits for four seats at once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from mcmulti.bots.seats.player import REFUSALS, play
from mcmulti.bots.seats.seat import Invitation, take_part
from mcmulti.bots.strategies.postal.mixed import by_post
from mcmulti.bots.strategies.postal.wild import WildSheets
from mcmulti.bots.strategy import NoStrategy, Strategy
from mcmulti.client.client import Client, HttpProblem
from mcmulti.client.sources import fetched
from mcmulti.projections.proof.proof import verify
from tests.bots.by_post import tycoon_sheet

TYCOON = by_post(tycoon_sheet)


@pytest.fixture
async def clients(server: str) -> AsyncIterator[list[Client]]:
    """Four players that are registered."""
    async with AsyncExitStack() as stack:
        found = [await stack.enter_async_context(Client(server)) for _ in range(4)]
        for number, client in enumerate(found):
            await client.register(f"Player {number}")
        yield found


async def _seated(clients: list[Client]) -> str:
    game = str((await clients[0].open_game("postal"))["game"])
    for seat, client in enumerate(clients):
        await client.take_seat(game, seat, entropy=str(seat))
    return game


async def test_four_bots_play_a_whole_game_that_can_be_proven(clients: list[Client]) -> None:
    game = await _seated(clients)
    minds: list[Strategy] = [TYCOON, TYCOON, TYCOON, by_post(WildSheets(1))]
    views = await asyncio.gather(*(play(client, game, mind) for client, mind in zip(clients, minds, strict=True)))
    events = await fetched(clients[0], game)
    proof = verify(events)
    assert {view["status"] for view in views} == {"finished"}
    assert (proof.fault, proof.seed_revealed) == (None, True)
    sent = [(event.actor, event.data) for event in events if event.type == "OrdersSubmitted"]
    assert len(sent) == 4 * views[0]["round"]


async def test_a_bot_that_starts_again_with_its_sheet_in_waits_for_the_others(clients: list[Client]) -> None:
    game = await _seated(clients)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(play(clients[0], game, TYCOON), 1)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(play(clients[0], game, TYCOON), 0.5)
    events = await fetched(clients[0], game)
    assert [event.actor for event in events if event.type == "OrdersSubmitted"] == [0]
    views = await asyncio.gather(*(play(client, game, TYCOON) for client in clients))
    assert views[0]["winners"]


async def test_a_sheet_that_is_refused_again_and_again_is_given_up(clients: list[Client]) -> None:
    too_long: dict[str, object] = {"orders": [{"type": "ConvertRigOrder"}] * 200}
    game = await _seated(clients)
    asked: list[int] = []

    def stubborn(view: dict[str, object], seat: int) -> dict[str, object]:
        asked.append(seat)
        return too_long

    with pytest.raises(HttpProblem) as raised:
        await play(clients[0], game, by_post(stubborn))
    assert raised.value.code == "sheet_lines"
    assert asked == [0] * REFUSALS


async def test_a_bot_finds_out_by_itself_what_is_played(clients: list[Client], server: str) -> None:
    game = str((await clients[0].open_game("postal"))["game"])
    said: list[str] = []
    with pytest.raises(NoStrategy, match="'tycoon' does not play postal"):
        await take_part(server, Invitation(game), None, "tycoon", 0, said.append)
    await asyncio.gather(*(take_part(server, Invitation(game), f"Bot {n}", None, n, said.append) for n in range(4)))
    assert sum(line.startswith("1. ") for line in said) == 4
