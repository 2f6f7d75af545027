"""The times of commands, as a server shows them, do not reveal whether an instruction or a person answered."""

import asyncio
from datetime import datetime
from pathlib import Path
from statistics import mean
from typing import Any

import httpx

from mcmulti.cli.bench.load import UNLIMITED
from tests.cli.command import running

SECONDS = 2
BLUR = 0.5
"""Seconds by which a moment may be later, at random."""
SETUP = {"ruleset": "mcmulti", "setup": {"seats": 2, "first_seat": 0, "instructions": SECONDS}}
ORDERS = {"sell_from": 1, "keep_gasoline": 1}
GAMES = 6
TURNS = 20


async def test_the_times_of_answers_are_alike(empty_database: str, tmp_path: Path) -> None:
    """Six games in which Ben has set an instruction, and six in which he sends the same as a page does, one by one."""
    options = ("serve", "--port", "0", "--database-url", empty_database, *UNLIMITED)
    with running(*options, temporary=tmp_path) as server:
        address = await asyncio.to_thread(server.line, "Serving at ")
        limits = httpx.Limits(max_connections=100)
        async with httpx.AsyncClient(base_url=address, timeout=60, trust_env=False, limits=limits) as client:
            async with asyncio.timeout(300):
                games = [_play(client, number, number % 2 == 0) for number in range(2 * GAMES)]
                found = await asyncio.gather(*games)
    instructed = [gap for gaps in found[0::2] for gap in gaps]
    by_hand = [gap for gaps in found[1::2] for gap in gaps]
    assert min(len(instructed), len(by_hand)) >= 24
    for gap in (*instructed, *by_hand):
        assert SECONDS - 0.05 <= gap < SECONDS + BLUR + 1
    assert abs(mean(instructed) - mean(by_hand)) < BLUR / 2
    assert abs(min(instructed) - min(by_hand)) < BLUR / 2


async def _play(client: httpx.AsyncClient, number: int, instructed: bool) -> list[float]:
    """The seconds between a question to Ben and the commands of his answer, as a spectator reads them."""
    players = []
    for name in ("Ada", "Ben"):
        token = (await client.post("/v1/players", json={"name": f"{name} {number}"})).json()["token"]
        players.append({"Authorization": f"Bearer {token}"})
    game = (await client.post("/v1/games", json=SETUP, headers=players[0])).json()["game"]
    for player in players:
        assert (await client.post(f"/v1/games/{game}/seats", json={}, headers=player)).status_code == 201
    await _send(client, game, players[0], {"type": "StartGame"})
    await _send(client, game, players[1], {"type": "Instruct", "orders": ORDERS if instructed else None})
    while (shown := (await client.get(f"/v1/games/{game}")).json())["view"]["turn"] is None or (
        shown["view"]["turn"]["number"] <= TURNS
    ):
        view = shown["view"]
        if not view["to_move"]:
            break
        (seat,) = view["to_move"]
        if view["phase"] == "neighbours" and seat == 1 and instructed:
            await client.get(f"/v1/games/{game}/events", params={"after": shown["seq"], "wait": 5})
            continue
        offers = (await client.get(f"/v1/games/{game}/offers", headers=players[seat])).json()
        if offers["seq"] == shown["seq"]:
            await _send(client, game, players[seat], _choice(view, seat, offers["offers"]))
    return _gaps((await client.get(f"/v1/games/{game}/events", params={"limit": 1000})).json()["events"])


async def _send(client: httpx.AsyncClient, game: str, player: dict[str, str], command: dict[str, Any]) -> None:
    sent = await client.post(f"/v1/games/{game}/commands", json={"commands": [command]}, headers=player)
    assert sent.status_code == 200, sent.text


def _choice(view: dict[str, Any], seat: int, offers: list[dict[str, Any]]) -> dict[str, Any]:
    """Ben builds six stations, has two barrels of gasoline, and sells one of them to the consumers when he is asked."""
    found = {offer["command"]: offer for offer in offers}
    gasoline = view["seats"][seat]["gasoline"]
    if view["phase"] == "purchase" and seat == 1:
        for offer in offers:
            if offer["command"] == "BuyAsset" and offer["fields"]["kind"]["options"] == ["station"]:
                sites = [site for site in offer["fields"]["site"]["options"] if site["row"] < 4 and site["column"] < 3]
                if sites:
                    return {"type": "BuyAsset", "kind": "station", "site": sites[0]}
    if view["phase"] == "neighbours" and gasoline > 1 and "SellGasoline" in found:
        return {"type": "SellGasoline", "quantity": 1}
    if view["phase"] == "market" and gasoline < 2 and seat == 1:
        for offer in offers:
            if offer["command"] == "BuyBarrels" and offer["fields"]["good"]["options"] == ["gasoline"]:
                market = offer["fields"]["market"]["options"][0]
                return {"type": "BuyBarrels", "market": market, "good": "gasoline", "quantity": 1}
    for name in ("EndPurchases", "RollDice", "EndProduction", "EndTurn", "EndCleanUp", "SellAsset"):
        if name in found:
            fields = found[name].get("fields", {})
            return {"type": name, **{field: of["options"][0] for field, of in fields.items()}}
    raise AssertionError(f"nothing to choose of {sorted(found)}")


def _gaps(events: list[dict[str, Any]]) -> list[float]:
    """The seconds between a question to seat 1 in the other's turn and each command of its answer.

    First from the question to the first command, and then from command to command.
    """
    gaps: list[float] = []
    before: datetime | None = None
    for event in events:
        at = datetime.fromisoformat(event["recorded_at"])
        if before is not None and event.get("command") and event["actor"] == 1:
            gaps.append((at - before).total_seconds())
            before = at
        if event["type"] == "OperationBegan":
            asked = event["data"]["neighbour"] and event["data"]["seat"] == 1
            before = (before or at) if asked else None
        elif event["type"] in ("AssetPhaseBegan", "TurnBegan"):
            before = None
    return gaps
