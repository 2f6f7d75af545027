"""A dice race, of which the engine only knows the folder, through every interface."""

import json
from collections.abc import AsyncIterator
from random import Random
from typing import Any
from uuid import UUID
from xml.etree import ElementTree

import gymnasium
import msgspec
import numpy as np
import pytest
from httpx import ASGITransport, AsyncClient, Response

from mcmulti import training
from mcmulti.api.app import ROUTES, application
from mcmulti.api.openapi import document
from mcmulti.arena.local import local_game
from mcmulti.cli.replay.application import ReplayApp
from mcmulti.cli.replay.story import Story
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.projections.proof.proof import verify
from mcmulti.simulation import play
from tests.api.guests import Guest, Table, problem
from tests.games import CALLED, record
from tests.toy import race

LANGUAGES = ("en", "de")


@pytest.fixture
async def table(database: str) -> AsyncIterator[Table]:
    """A server that keeps games in Postgres, and runs bots."""
    async with PostgresLog.open(database) as log:
        transport = ASGITransport(application(log, house_bots=True))  # type: ignore[arg-type]
        async with AsyncClient(transport=transport, base_url="http://mcmulti") as client:
            yield Table(client, log)


async def _played(table: Table, **setup: Any) -> str:
    """A finished race of three."""
    game, random = await table.start(3, "dice_race", goal=8, **setup), Random(4)
    while waiting := (await _read(table, game))["view"]["to_move"]:
        sent = await table.guests[waiting[0]].send(game, {"type": random.choice(["Walk", "Throw"])})
        assert sent.status_code == 200, sent.text
    return game


async def _got(table: Table, path: str, **query: Any) -> Response:
    answered = await table.client.get(path, params=query)
    assert answered.status_code == 200, answered.text
    return answered


async def _read(table: Table, game: str, path: str = "", **query: Any) -> Any:
    return (await _got(table, f"/v1/games/{game}{path}", **query)).json()


async def test_it_is_played_over_http_and_proven(table: Table) -> None:
    game = await _played(table)
    shown = await _read(table, game)
    assert shown["view"]["ruleset"] == "dice_race"
    assert [seat["name"] for seat in shown["view"]["seats"]] == ["Ada", "Ben", "Cleo"]
    assert max(shown["view"]["at"]) >= 8
    assert shown["view"]["winners"] == [shown["view"]["at"].index(max(shown["view"]["at"]))]
    assert verify(await table.log.read(UUID(game))).fault is None
    assert (await _read(table, game, "/proof"))["seed"] is not None


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_reading_of_it_has_words(table: Table, language: str) -> None:
    game = await _played(table)
    spaces = {"en": "spaces", "de": "Felder"}[language]
    frames = (await _read(table, game, "/replay", language=language, limit=1000))["frames"]
    assert all(event["sentence"] for frame in frames for event in frame["happened"])
    assert any({"en": "walks to space", "de": "geht auf Feld"}[language] in str(frame) for frame in frames)
    report = await _read(table, game, "/report", language=language)
    assert {"en": "The dice race", "de": "Das Würfelrennen"}[language] in report["title"]
    assert spaces in str(report)
    for chart in ("cash", "dice"):
        drawn = (await _got(table, f"/v1/games/{game}/charts/{chart}", language=language)).text
        assert "dollar" not in " ".join(ElementTree.fromstring(drawn).itertext()).lower()
    board = " ".join(
        ElementTree.fromstring((await _got(table, f"/v1/games/{game}/board.svg", language=language)).text).itertext()
    )
    assert "Ada" in board
    assert spaces in board
    assert (await _got(table, f"/v1/games/{game}/board.png")).headers["content-type"] == "image/png"


async def test_the_books_sum_to_zero_and_hold_what_everybody_has(table: Table) -> None:
    game = await _played(table)
    balances = await _read(table, game, "/balances")
    assert {unit["unit"]: unit["sum"] for unit in balances["trial_balance"]} == {"spaces": 0}
    counted = (await _read(table, game, "/statistics"))["statistics"]
    at = (await _read(table, game))["view"]["at"]
    assert [
        sum(each["income"] - each["spending"] for each in counted["flows"] if each["seat"] == seat) for seat in range(3)
    ] == at


async def test_who_resigns_is_played_for_and_the_last_wins(table: Table) -> None:
    game = await table.start(3, "dice_race")
    assert (await table.guests[0].send(game, {"type": "Resign"})).status_code == 200
    assert (await _read(table, game))["view"]["at"] == [2, 0, 0]
    assert (await table.guests[2].send(game, {"type": "Resign"})).status_code == 200
    view = (await _read(table, game))["view"]
    assert (view["status"], view["winners"]) == ("finished", [1])
    assert verify(await table.log.read(UUID(game))).fault is None


async def test_it_has_a_clock(table: Table) -> None:
    game = await table.start(2, "dice_race", clock={"move_seconds": 60, "bank_seconds": 30})
    assert (await _read(table, game))["table"]["deadline"] is not None
    problem(await table.guests[1].send(game, {"type": "Walk"}), 409, "out_of_turn")
    granted = await table.guests[1].send(game, {"type": "GrantTime", "seat": 0})
    assert granted.status_code == 200, granted.text


async def test_moves_can_be_taken_back(table: Table) -> None:
    game = await table.start(2, "dice_race", undo="own")
    assert (await table.guests[0].send(game, {"type": "Walk"})).status_code == 200
    back = await table.guests[0].send(game, {"type": "TakeBack", "moves": 1})
    assert back.status_code == 200, back.text
    assert (await _read(table, game))["view"]["at"] == [0, 0]


async def test_it_is_listed_by_its_name_with_bots_that_play_it(table: Table) -> None:
    for language, called, amount in (("en", "The dice race", "{} spaces"), ("de", "Das Würfelrennen", "{} Felder")):
        listed = (await _got(table, "/v1/rulesets", language=language)).json()["rulesets"]
        found = next(each for each in listed if each["name"] == "dice_race")
        assert (found["called"], found["amount"], found["house_bots"]) == (called, amount, ["random"])
        told = (await _got(table, "/v1/rulesets/dice_race", language=language)).json()
        assert all(each["meaning"] for each in (*told["setup"], *told["commands"]))


async def test_pages_know_what_it_is_called(table: Table) -> None:
    """Their lists and headings are in each of them."""
    for page in ("/", "/ratings", "/rules/dice_race"):
        shown = await table.client.get(page, headers={"Accept": "text/html"})
        for told in ('content="dice_race"', 'data-called-de="Das Würfelrennen"', 'data-amount-en="{} spaces"'):
            assert told in shown.text


async def test_it_has_a_ladder(table: Table) -> None:
    assert (await _got(table, "/v1/ratings", ruleset="dice_race")).json()["players"] == []


def test_its_contract_has_its_commands_and_its_setup() -> None:
    schemas = json.loads(document(ROUTES, "dice_race"))["components"]["schemas"]
    assert {"Walk", "DiceRaceThrow", "RunnerMoved", "RaceView"} <= schemas.keys(), "another game has a Throw"
    setup = json.loads(document(ROUTES))["components"]["schemas"]["NewRaceGame"]["properties"]["setup"]
    name = (setup.get("anyOf") or [setup])[0]["$ref"].rpartition("/")[2]
    assert set(schemas[name]["properties"]) == {"seats", "goal", "clock", "if_left", "practice", "undo"}


async def test_it_is_stepped_through_in_the_terminal() -> None:
    steps = list(play(race.RULESET, race.Setup(goal=8), 3))
    events = record(UUID(steps[0].state.game_id), steps)
    application = ReplayApp(Story(events, CALLED), at=1, first=1, last=len(events), by="event", language="en")
    async with application.run_test(size=(120, 40)) as pilot:
        for _ in events:
            await pilot.press("right", "tab", "l")
        await pilot.pause()
        assert application.seq == len(events)
        shown = " ".join(strip.text for strip in application.screen._compositor.render_strips())
        assert "spaces" in shown or "Felder" in shown


def test_it_is_played_in_the_arena_without_a_server() -> None:
    game, random = local_game("dice_race", {"seats": 4, "goal": 8}, seed=1), Random(1)
    while waiting := game.to_move:
        offers = msgspec.json.decode(game.offers(waiting[0]))
        game.send(waiting[0], [{"type": random.choice(offers)["command"]}])
    assert verify(game.record().events).fault is None


def test_it_can_be_learned() -> None:
    """By turns, and on a seat against house bots. It is drawn, too."""
    env = training.env("dice_race", seats=4, render_mode="rgb_array")
    env.reset(seed=1)
    for agent in env.agent_iter():
        seen, _, terminated, truncated, _ = env.last()
        over = terminated or truncated
        env.step(None if over else int(env.action_space(agent).sample(seen["action_mask"])))
    env.reset(seed=2)
    drawn = env.render()
    assert isinstance(drawn, np.ndarray)
    assert drawn.shape == (315, 600, 3)
    assert training.IDS["dice_race"] == "mcmulti/DiceRace-v0"
    seat = gymnasium.make("mcmulti/DiceRace-v0", seats=3)
    seen, _ = seat.reset(seed=1)
    for _ in range(1000):
        seen, _, terminated, _, _ = seat.step(int(seen["action_mask"].nonzero()[0][-1]))
        if terminated:
            return
    raise AssertionError("the race did not end")


async def test_a_bot_of_the_server_can_be_asked_to_a_race(table: Table) -> None:
    ada: Guest = await table.guest("Ada")
    body = {"ruleset": "dice_race", "setup": {"seats": 2}, "house_bots": ["random"]}
    opened = await ada.post("/v1/games", json=body)
    assert opened.status_code == 201, opened.text
