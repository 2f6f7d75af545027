"""A box game as a player at the table imagines it: a state from which the rules can play on."""

from functools import cache
from random import Random
from typing import Any

import msgspec

from mcmulti.bots.strategy import Offer, View
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.components import FIELDS, NEWS
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.domain.mcmulti.state import News, Turn
from mcmulti.domain.mcmulti.state import State as Table
from mcmulti.domain.oil.names import Site
from mcmulti.domain.oil.rules.board import QUADRANTS, bit, left
from mcmulti.domain.oil.rules.market import Market
from mcmulti.domain.oil.rules.quadrant import Quadrant
from mcmulti.domain.oil.state import Player
from mcmulti.library.game import Game
from mcmulti.library.state import State


class ThoughtDice:
    """Imagined dice, a `Chance`: the same seed gives the same dice, whatever was done before."""

    __slots__ = ("_seed",)

    commitment = ""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def value(self, number: int, sides: int, entropy: str) -> int:
        """A die of a game that is imagined."""
        return Random(self._seed * 1009 + number).randint(1, sides)

    def salt(self, number: int) -> str:
        """Return a constant: nothing is sealed in the box game."""
        return ""

    def unseal(self) -> None:
        """Do nothing: nothing is sealed in the box game."""

    def reveal(self) -> str:
        """Return a constant: an imagined game has no seed."""
        return ""


def imagined(view: View, offers: list[Offer], seed: int) -> State:
    """A state that matches the view, in a phase without partial moves: purchase, market, or assets.

    What the view does not show is generated from `seed`: the order of the news pile, and the dice.
    """
    table = _position(view, offers, seed)
    return State(_game(table.setup), table, ThoughtDice(seed))


@cache
def _game(setup: Setup) -> Game:
    return Game(RULESET, setup)


def _position(view: View, offers: list[Offer], seed: int) -> Table:
    quadrants = view["quadrants"]
    seats = view["seats"]
    agreed = msgspec.convert(view["setup"], Setup)
    purchases = _purchases(view, offers) if view["phase"] == "purchase" else ()
    return Table(
        game_id="",
        commitment="",
        chairs=(),
        player_ids=tuple(str(seat["seat"]) for seat in seats),
        setup=Setup(
            seats=len(seats),
            target=agreed.target,
            consumer_track=agreed.consumer_track,
            refinery_sales=agreed.refinery_sales,
            unpaid_clean_up=agreed.unpaid_clean_up,
            last_turns=agreed.last_turns,
        ),
        phase=view["phase"],
        first=left(purchases[-1]) if purchases else 0,
        purchases=purchases,
        players=tuple(Player(seat["cash"], seat["crude"], seat["gasoline"]) for seat in seats),
        owners=tuple(quadrant["owner"] for quadrant in quadrants),
        quadrants=tuple(_quadrant(quadrant["assets"]) for quadrant in quadrants),
        economy=view["economy"]["card"],
        difference=view["economy"]["difference"],
        domestic=_market(view, "domestic"),
        foreign=_market(view, "foreign"),
        consumer_price=view["consumer"]["price"],
        consumer_barrels=view["consumer"]["barrels"],
        news=_news_shown(view["news"], seed),
        turn=_turn(view["turn"]),
        declared_by=view["declared_by"],
        last_turns=None if view["last_turns"] is None else tuple(view["last_turns"]),
        still=view["still"],
    )


def _quadrant(assets: list[dict[str, Any]]) -> Quadrant:
    bits = {"rig": 0, "well": 0, "station": 0, "refinery": 0}
    idle = 0
    for asset in assets:
        here = bit(Site(**asset["site"]))
        bits[asset["kind"]] |= here
        idle |= here if asset["idle"] else 0
    return Quadrant(bits["rig"], bits["well"], bits["station"], bits["refinery"], idle)


def _market(view: View, name: str) -> Market:
    barrels = {market["good"]: market["barrels"] for market in view["markets"] if market["market"] == name}
    return Market(FIELDS - barrels["crude"], FIELDS - barrels["gasoline"])


def _news_shown(shown: dict[str, Any], seed: int) -> News:
    known = (shown["likelier"], shown["less_likely"], *shown["active"])
    unknown = [card for card in NEWS if card not in known]
    Random(seed).shuffle(unknown)
    return News(shown["likelier"], shown["less_likely"], tuple(unknown), (), tuple(shown["active"]))


def _turn(shown: dict[str, Any] | None) -> Turn | None:
    if shown is None:
        return None
    red, black = shown["red"], shown["black"]
    return Turn(shown["number"], shown["quadrant"], shown["seat"], shown["market"], red, black, card=shown["news"])


def _purchases(view: View, offers: list[Offer]) -> tuple[int, ...]:
    """The quadrant that is being built on, and those that still seem to have their turn after it."""
    buying = [offer for offer in offers if offer["command"] == "BuyAsset"]
    own = view["seats"][view["you"]]["quadrants"]
    now = buying[0]["fields"]["site"]["options"][0]["quadrant"] if buying else own[-1]
    purchases = [now]
    while len(purchases) < len(QUADRANTS):
        following = left(purchases[-1])
        if view["quadrants"][following]["assets"] or view["quadrants"][following]["owner"] is None:
            break
        purchases.append(following)
    return tuple(purchases)
