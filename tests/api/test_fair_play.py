"""Attempts to cheat over HTTP, and what honest players lost to them: none of it works."""

import asyncio
import json
from random import Random

import pytest

from mcmulti.client.client import Client
from mcmulti.server.database import opened_log
from mcmulti.server.process import answering, bound
from tests.api.guests import Table
from tests.api.rated_games import RESIGN, RIGS, Contender, begun, come, lost


async def test_a_player_who_is_late_keeps_everything(database: str) -> None:
    """Ada buys a rig and two stations for 5 + 48 + 48 = 101 and does nothing more; each time she is asked, five seconds
    pass. Three turns later she has lost no asset, no barrel, and no million."""
    with bound("127.0.0.1", 0) as listener:
        async with (
            opened_log(database) as log,
            answering(log, listener) as address,
            Client(address) as ada,
            Client(address) as ben,
        ):
            for client, name in ((ada, "Ada"), (ben, "Ben")):
                await client.register(name)
            clock = {"move_seconds": 5, "misses": 100}
            game = str((await ada.open_game("mcmulti", seats=2, first_seat=0, clock=clock))["game"])
            for client in (ada, ben):
                await client.take_seat(game)
            await ada.send(game, [{"type": "StartGame"}])
            assets = [("rig", 1, 1), ("station", 1, 3), ("station", 4, 2)]
            bought = [
                {"type": "BuyAsset", "kind": kind, "site": {"quadrant": 0, "row": row, "column": column}}
                for kind, row, column in assets
            ]
            await ada.send(game, [*bought, {"type": "EndPurchases"}])
            async with asyncio.timeout(120):
                while (shown := await ada.view(game))["table"]["turn"] < 4:
                    asked = shown["view"]["to_move"] == [1]
                    if asked and (offers := (await ben.offers(game))[0])["seq"] == shown["seq"]:
                        least = [each["command"] for each in offers["offers"] if not each.get("fields")]
                        await ben.send(game, [{"type": least[0]}])
                    else:
                        await ben.events(game, shown["seq"], limit=1, wait=10)
            events = json.loads(await ada.events(game))["events"]
            late = [event["data"] for event in events if event["type"] == "MovedUnasked"]
            assert {each["seat"] for each in late} == {0}
            assert {each["why"] for each in late} == {"time"}
            assert not [event for event in events if event["type"] == "AssetSold"]
            view = shown["view"]
            assert sum(len(each["assets"]) for each in view["quadrants"] if each["owner"] == 0) == len(assets)
            assert view["seats"][0]["cash"] >= 200 - 101
            assert view["seats"][0]["gasoline"] == view["seats"][1]["gasoline"]


@pytest.mark.parametrize("decisions", [0, 10])
async def test_eighteen_accounts_that_resign_lift_nobody(table: Table, decisions: int) -> None:
    """At thirty tables three of them leave at once, or after as many decisions as it takes: the cheat stays behind an
    honest player who won five games, provisional, and within a point or two of where everybody begins."""
    dice = Random(decisions)
    cheat, honest, *others = await come(table, "Cheat", "Honest", "Ann", "Ben", "Cid")
    puppets = await come(table, *(f"Puppet {number}" for number in range(18)))
    for number in range(5):
        await lost(others[number % 3], honest)
    for _ in range(30 if not decisions else 10):
        three: list[Contender] = dice.sample(puppets, 3)
        game = await begun(cheat, *three)
        for quadrant, guest in enumerate((cheat, *three)):
            rigs = [{**rig, "site": {"quadrant": quadrant, **rig["site"]}} for rig in RIGS]  # type: ignore[dict-item]
            if decisions:
                assert (await guest.send(game, *rigs, {"type": "EndPurchases"})).status_code == 200
        for puppet in three:
            assert (await puppet.send(game, RESIGN)).status_code == 200
    listed = (await cheat.get("/v1/ratings?ruleset=mcmulti&limit=100")).json()["players"]
    ratings = {player["name"]: player["rating"] for player in listed}
    assert "Cheat" not in ratings or ratings["Cheat"]["provisional"]
    assert "Cheat" not in ratings or ratings["Cheat"]["rating"] < 1500 + 20
    names = [player["name"] for player in listed]
    assert "Cheat" not in names or names.index("Honest") < names.index("Cheat")
