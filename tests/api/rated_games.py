"""Rated games, as short as possible."""

from dataclasses import dataclass

from tests.api.guests import Guest, Table

RESIGN = {"type": "Resign"}
CLOCK = {"move_seconds": 3600}
RIGS = [
    {"type": "BuyAsset", "kind": "rig", "site": {"row": row, "column": column}}
    for row in (1, 2)
    for column in range(1, 6)
]
"""As many decisions as others need to gain from a defeat."""


@dataclass
class Contender(Guest):
    """A guest whose id is known."""

    player: str = ""


async def come(table: Table, *names: str, kind: str = "human") -> list[Contender]:
    """Register players of a kind."""
    found = []
    for name in names:
        answered = await table.client.post("/v1/players", json={"name": name, "kind": kind})
        told = answered.json()
        found.append(Contender(table.client, name, told["token"], told["player"]))
    return found


async def opened(guest: Guest, seats: int = 2, **wish: object) -> str:
    setup = {"seats": seats, "first_seat": 0, "clock": CLOCK}
    body = {"ruleset": "mcmulti", "setup": setup, "rated": True, **wish}
    answered = await guest.post("/v1/games", json=body)
    assert answered.status_code == 201, answered.text
    return str(answered.json()["game"])


async def begun(*guests: Guest, **wish: object) -> str:
    """A game that all of them agreed to start."""
    game = await opened(guests[0], len(guests), **wish)
    for guest in guests:
        assert (await guest.post(f"/v1/games/{game}/seats", json={})).status_code == 201
    for guest in guests:
        started = await guest.send(game, {"type": "AgreeToStart"})
        assert started.status_code == 200, started.text
    return game


async def decided(*guests: Guest, **wish: object) -> str:
    """A game in which all of them made ten decisions, on quadrants of their own."""
    game = await begun(*guests, **wish)
    for quadrant, guest in enumerate(guests):
        bought = [{**rig, "site": {"quadrant": quadrant, **rig["site"]}} for rig in RIGS]  # type: ignore[dict-item]
        sent = await guest.send(game, *bought, {"type": "EndPurchases"})
        assert sent.status_code == 200, sent.text
    return game


async def lost(loser: Guest, *winners: Guest, **wish: object) -> str:
    """A game that the loser opened and left, and then all others except one."""
    game = await decided(loser, *winners, **wish)
    for guest in (loser, *winners[:-1]):
        assert (await guest.send(game, RESIGN)).status_code == 200
    return game
