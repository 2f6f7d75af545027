"""Short games: how each rule set is played to its end in few moves, and with which dice."""

from random import Random
from types import SimpleNamespace
from typing import NamedTuple
from uuid import UUID

import pytest

from mcmulti.api.operations import games
from mcmulti.bots.strategies.gambler.gambler import gambler
from mcmulti.bots.strategy import Command, Offer, Strategy, View
from mcmulti.domain.mcmulti.phases import ending
from mcmulti.domain.postal.refereeing import ending as postal_ending
from mcmulti.referee import opening

STILL = 3
"""How many rounds without a change end a short game."""


class ShortGame(NamedTuple):
    """The number of players, their strategies, and the number that determines the dice and the id of the game."""

    ruleset: str
    seats: int
    play: Strategy
    number: int

    @property
    def id(self) -> str:
        """The id of the game, which also determines the dice."""
        return f"00000000-0000-4000-8000-{self.number:012x}"

    @property
    def secret(self) -> bytes:
        """The seed of its dice."""
        return Random(self.number).randbytes(32)


def _end(offer: Offer, end: int) -> Command:
    """The command of an offer with the first (0) or the last (-1) value of each field."""
    values = {
        name: field["options"][end] if "options" in field else field[("min", "max")[end]]
        for name, field in offer.get("fields", {}).items()
    }
    return {"type": offer["command"]} | values


def _hold_out(view: View, offers: list[Offer]) -> list[Command]:
    """A rig each, and then nothing more: the game ends by standstill."""
    me = view["you"]
    owns = any(quadrant["owner"] == me and quadrant["assets"] for quadrant in view["quadrants"])
    offered = {offer["command"]: offer for offer in reversed(offers)}
    if not owns and "BuyAsset" in offered:
        site = offered["BuyAsset"]["fields"]["site"]["options"][14]  # in the middle, so that there is a way to it
        return [_end(offered["BuyAsset"], 0) | {"site": site}]
    passing = next(name for name in ("EndPurchases", "RollDice", "EndProduction", "EndTurn") if name in offered)
    return [_end(offered[passing], 0)]


def _stake_all(view: View, offers: list[Offer]) -> list[Command]:
    """As gamblers do, but with all they have."""
    stake = next((offer for offer in offers if offer["command"] == "Stake"), None)
    return [_end(stake, -1)] if stake else gambler(view, offers)


def _let_pass(view: View, offers: list[Offer]) -> list[Command]:
    """Nobody bids against the player who puts up a shop. Whenever visitors can enter a shop, they do."""
    offered = {offer["command"]: offer for offer in reversed(offers)}
    if "PassBid" in offered:
        return [_end(offered["PassBid"], 0)]
    if "LetIn" in offered:
        return [_end(offered["LetIn"], 0) | {"visitors": offered["LetIn"]["fields"]["visitors"]["max"]}]
    ways = [
        (sum(entering["customers"] for entering in way["entering"]), _end(offer, 0) | {"to": way["to"]})
        for offer in offers
        if offer["command"] == "MoveGroup"
        for way in offer["fields"]["to"]["prospects"]
    ]
    customers, lead = max(ways, key=lambda way: way[0], default=(0, {}))
    return [lead if customers or "PutUp" not in offered else _end(offered["PutUp"], 0)]


def _sell_once(view: View, offers: list[Offer]) -> list[Command]:
    """A sheet that sells a barrel, and then empty ones: the game ends by standstill."""
    sale = {"type": "SellBarrelsOrder", "market": "foreign", "good": "gasoline", "quantity": 2}
    sheet = {"trades": [sale]} if view["round"] == 1 else {}
    return [{"type": "SubmitOrders", "round": view["round"], "sheet": sheet}]


SHORT_GAMES = {
    "mcmulti": ShortGame("mcmulti", 2, _hold_out, 61),
    "postal": ShortGame("postal", 4, _sell_once, 1),
    "millionenspiel": ShortGame("millionenspiel", 3, _stake_all, 19),
    "marracash": ShortGame("marracash", 3, _let_pass, 138),
}
"""By rule set."""


def settle(monkeypatch: pytest.MonkeyPatch, short: ShortGame) -> None:
    """Give the next game this id, with or without an Idempotency-Key, and these dice, and end standstills early."""
    monkeypatch.setattr(games, "uuid4", lambda: UUID(short.id))
    monkeypatch.setattr(games, "opened_under", lambda player, key: UUID(short.id))
    monkeypatch.setattr(opening, "secrets", SimpleNamespace(token_bytes=lambda size: short.secret))
    for standing in (ending, postal_ending):
        monkeypatch.setattr(standing, "STANDSTILL", STILL)
