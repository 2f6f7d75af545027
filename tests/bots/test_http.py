"""Bots at a real server with a real PostgreSQL."""

import asyncio
import json
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from datetime import timedelta
from typing import Any

import pytest

from mcmulti.bots.seats.player import REFUSALS, play
from mcmulti.bots.seats.seat import Invitation, NoSeat, take_part
from mcmulti.bots.strategies.tycoon import tycoon
from mcmulti.bots.strategy import RandomMoves
from mcmulti.client.client import Client, HttpProblem
from mcmulti.client.sources import fetched
from mcmulti.events.postgres.stores import timekeeping
from mcmulti.projections.proof.proof import verify


async def test_two_bots_play_a_whole_game_that_can_be_proven(server: str) -> None:
    async with Client(server) as one, Client(server) as two:
        game = await _seated(one, two)
        views = await asyncio.gather(play(one, game, tycoon), play(two, game, tycoon))
        proof = verify(await fetched(one, game))
    assert [view["status"] for view in views] == ["finished", "finished"]
    assert views[0]["winners"] == views[1]["winners"] != []
    assert (proof.fault, proof.seed_revealed) == (None, True)


async def test_bots_set_instructions_where_the_table_allows_it_and_play_on(server: str) -> None:
    """Each sends its orders once, at the start; then neighbors are answered for, and the game goes on."""
    orders = {"sell_from": 15, "refine": True, "pump": True}
    async with Client(server) as one, Client(server) as two:
        game = await _seated(one, two, instructions=2)
        tasks = [asyncio.create_task(play(client, game, tycoon, orders)) for client in (one, two)]
        for _ in range(50):
            if (await one.events(game, limit=200)).count(b'"rule":"table/instruct"') == 2:
                break
            await one.events(game, (await one.view(game))["seq"], limit=1, wait=5)
        told = [(await client.offers(game))[0]["instruction"] for client in (one, two)]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert told == [{"command": {"type": "Instruct", "orders": orders}, "off": None}] * 2
        assert (await one.events(game, limit=200)).count(b'"rule":"table/instruct"') == 2


async def test_a_bot_sits_down_with_a_passcode_and_comes_to_the_rematch(server: str) -> None:
    """It plays from the last seat of a table for invited players, and is invited to the next one."""
    said: list[str] = []
    async with Client(server) as one:
        await one.register("One")
        opened = await one.open_game("mcmulti", access={"listed": False, "passcode": True}, seats=2)
        game = str(opened["game"])
        await one.take_seat(game)
        with pytest.raises(HttpProblem, match="Only invited players"):
            await take_part(server, Invitation(game), "Late", "tycoon", 0, said.append)
        code = (await one.change_invitations(game, passcode="new"))["passcode"]
        async with asyncio.TaskGroup() as players:
            players.create_task(take_part(server, Invitation(game, passcode=code), "Bot", "tycoon", 0, said.append))
            players.create_task(play(one, game, tycoon))
        again = str((await one.rematch(game))["game"])
        invited = (await one.change_invitations(again, uninvite=["One"]))["invited"]
        assert [player["name"] for player in invited] == ["Bot"]
        assert (await one.rematch(game))["game"] == again
        await one.take_seat(again)
    assert said[0].startswith("Bot sits on seat 2")


async def test_a_bot_may_join_its_game_again(server: str) -> None:
    async with Client(server) as one, Client(server) as two:
        game = await _seated(one, two)
        other = asyncio.create_task(play(two, game, tycoon))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(play(one, game, tycoon), 0.3)
        async with Client(server, token=one.token) as again:
            assert (await play(again, game, tycoon))["status"] == "finished"
        await other


async def test_a_strategy_that_is_refused_again_and_again_is_given_up(server: str) -> None:
    asked = []

    def stubborn(view: dict[str, Any], offers: list[dict[str, Any]]) -> list[dict[str, Any]]:
        asked.append(view["phase"])
        return [{"type": "EndTurn"}]

    async with Client(server) as one, Client(server) as two:
        game = await _seated(one, two, first_seat=0)
        waiting = asyncio.create_task(play(two, game, tycoon))
        with pytest.raises(HttpProblem) as raised:
            await play(one, game, stubborn)
        waiting.cancel()
    assert raised.value.code == "out_of_phase"
    assert asked == ["purchase"] * REFUSALS


async def test_who_takes_too_long_waits_until_the_server_has_moved_and_plays_on(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The shortest possible clock: five seconds. The first move takes longer, and since the server is held up too, that
    would be an outage.
    """
    monkeypatch.setattr(timekeeping, "OUTAGE", timedelta(minutes=1))
    asked = []

    def slow(view: dict[str, Any], offers: list[dict[str, Any]]) -> list[dict[str, Any]]:
        asked.append(view["phase"])
        if len(asked) == 1:
            time.sleep(5.1)
        return tycoon(view, offers)

    async with Client(server) as one, Client(server) as two:
        game = await _seated(one, two, first_seat=0, clock={"move_seconds": 5})
        other = asyncio.create_task(play(two, game, tycoon))
        assert (await play(one, game, slow))["status"] == "finished"
        await other
        types = [event.type for event in await fetched(one, game)]
    assert types.index("MovedUnasked") < types.index("MissesForgiven")


async def test_a_move_on_a_game_that_has_moved_on_is_chosen_again(server: str) -> None:
    async with Client(server) as one, Client(server) as two:
        game = await _seated(one, two, first_seat=0)
        meddled: list[Any] = []

        class Meddler(Client):
            """Inserts a move of the same seat once between reading and sending."""

            async def send(self, game: str, commands: list[dict[str, Any]], *more: Any, **asked: Any) -> Any:
                if commands[-1]["type"] == "RollDice" and not meddled:
                    meddled.append(commands)
                    await super().send(game, [{"type": "RollDice"}])
                return await super().send(game, commands, *more, **asked)

        async with Meddler(server, token=one.token) as meddler:
            views = await asyncio.gather(play(meddler, game, tycoon), play(two, game, RandomMoves(1)))
    assert meddled
    assert views[0]["status"] == "finished"


async def test_bots_find_together_at_a_table(server: str) -> None:
    said: list[str] = []
    sits: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def say(line: str) -> None:
        said.append(line)
        if not sits.done():
            sits.set_result(line)

    async with asyncio.TaskGroup() as players:
        players.create_task(
            take_part(server, Invitation(ruleset="mcmulti", setup={"seats": 2}), "First", "tycoon", 0, say)
        )
        game = (await sits).rpartition(" ")[2]
        players.create_task(take_part(server, Invitation(game), "Second", "random", 0, say))
    assert said[:2] == [f"First sits on seat 1 of game {game}", f"Second sits on seat 2 of game {game}"]
    assert [line[:2] for line in sorted(said[2:])] == ["1.", "1.", "2.", "2."]


async def test_a_bot_plays_on_for_who_left_and_judges_proposals_to_end_the_game(server: str) -> None:
    """One of three resigns, and a bot takes that seat. It invests, and the others do not: it refuses a ranking, which
    it would lose, and agrees to call the game off.
    """
    sits: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def say(line: str) -> None:
        if not sits.done():
            sits.set_result(line)

    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(server)) for _ in range(3)]
        for number, client in enumerate(clients):
            await client.register(f"Person {number}")
        ada, ben, cleo = clients
        game = str((await ada.open_game("mcmulti", seats=3, first_seat=0))["game"])
        for client in clients:
            await client.take_seat(game)
        await ada.send(game, [{"type": "StartGame"}])
        invited = Invitation(substitute=True)
        waiting = asyncio.create_task(take_part(server, invited, "Stand-in", None, 0, say))
        await ben.send(game, [{"type": "Resign"}])
        assert await sits == f"Stand-in sits on seat 2 of game {game}"
        await ada.send(game, [{"type": "EndPurchases"}])
        await _until(ada, game, lambda shown: shown["table"]["to_move"] == [2])
        with pytest.raises(HttpProblem, match="too early to agree on a ranking"):
            await ada.send(game, [{"type": "ProposeEnd", "how": "rank"}])
        await cleo.send(game, [{"type": "ProposeEnd", "how": "call_off"}])
        await ada.send(game, [{"type": "AnswerEnd", "how": "call_off", "accept": True}])
        await asyncio.wait_for(waiting, 60)
        assert (await ada.view(game))["table"]["outcome"]["rule"] == "table/propose-end"
        over = Invitation(game, substitute=True)
        with pytest.raises(NoSeat, match=r"^The game is over"):
            await take_part(server, over, "Too late", None, 0, say)


async def test_a_bot_that_leads_agrees_to_a_ranking_when_nobody_else_is_missing(server: str) -> None:
    """By post, where a ranking is possible after three rounds. Three people bought a rig, which brings less in the end
    than it cost, and the bot nothing: it leads. It votes after the last of them, and wins."""
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(server)) for _ in range(4)]
        ada, bot, cleo, dan = clients
        for client, name in zip(clients, ("Ada", "Bot", "Cleo", "Dan"), strict=True):
            await client.register(name, "bot" if client is bot else "human")
        game = str((await ada.open_game("postal"))["game"])
        for client in clients:
            await client.take_seat(game)
        await ada.send(game, [{"type": "StartGame"}])
        playing = asyncio.create_task(play(bot, game, _sends_nothing))
        for number in (1, 2, 3):
            for client in (ada, cleo, dan):
                text = "buy rig A1" if number == 1 else ""
                await client.send(game, [{"type": "WriteOrders", "round": number, "text": text}])
            await _until(ada, game, lambda shown, last=number: shown["view"]["round"] == last + 1)  # type: ignore[misc]
        proposed = await ada.send(game, [{"type": "ProposeEnd", "how": "rank"}])
        await cleo.send(game, [{"type": "AnswerEnd", "how": "rank", "accept": True}])
        await dan.send(game, [{"type": "AnswerEnd", "how": "rank", "accept": True}])
        assert (await asyncio.wait_for(playing, 60))["winners"] == [1]
        told = json.loads(await ada.events(game, proposed["seq"]))["events"]
        assert [event["data"]["agreed"] for event in told if event["type"] == "EndAgreedTo"] == [2, 3, 4]


def _sends_nothing(view: Any, offers: Any) -> list[dict[str, Any]]:
    """An empty sheet for every round."""
    return [{"type": "SubmitOrders", "round": view["round"], "sheet": {}}]


async def _until(client: Client, game: str, holds: Callable[[Any], bool]) -> None:
    """Wait until the view of the game fulfills this."""
    async with asyncio.timeout(60):
        while not holds(shown := await client.view(game)):
            await client.events(game, shown["seq"], limit=1, wait=20)


async def _seated(one: Client, two: Client, **setup: Any) -> str:
    await one.register("One")
    await two.register("Two")
    game = str((await one.open_game("mcmulti", seats=2, **setup))["game"])
    await one.take_seat(game, 0, entropy="1")
    await two.take_seat(game, 1, entropy="2")
    return game
