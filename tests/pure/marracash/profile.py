"""What tests know about MarraCash."""

from mcmulti.bots.strategies.registry import STRATEGIES
from mcmulti.bots.strategy import Command, Offer, View
from mcmulti.domain.marracash.commands import PutUp
from tests.profiles import (
    HASTE,
    AgainstTheComputer,
    Calibrated,
    Disturbed,
    LongGame,
    Profile,
    Scene,
    ShortGame,
    WrongPosition,
    end,
)


def _let_pass(view: View, offers: list[Offer]) -> list[Command]:
    """Nobody bids against the player who puts up a shop. Whenever visitors can enter a shop, they do."""
    offered = {offer["command"]: offer for offer in reversed(offers)}
    if "PassBid" in offered:
        return [end(offered["PassBid"], 0)]
    if "LetIn" in offered:
        return [end(offered["LetIn"], 0) | {"visitors": offered["LetIn"]["fields"]["visitors"]["max"]}]
    ways = [
        (sum(entering["customers"] for entering in way["entering"]), end(offer, 0) | {"to": way["to"]})
        for offer in offers
        if offer["command"] == "MoveGroup"
        for way in offer["fields"]["to"]["prospects"]
    ]
    customers, lead = max(ways, key=lambda way: way[0], default=(0, {}))
    return [lead if customers or "PutUp" not in offered else end(offered["PutUp"], 0)]


PROFILE = Profile(
    written="""
        shops/count visitors/count start/capital
        round/start round/first
        auction/offer auction/bids auction/signs auction/commission auction/order auction/unable auction/waiting
        turn/two-actions move/group
        customer/enter customer/income customer/commission
        souvenirs/open souvenirs/sale
        entrance/refill end/last-round end/winner table/standstill
    """,
    order="setup start round auction turn move customer entrance end",
    readings=frozenset({"commission", "souvenirs"}),
    setups=({"seats": 3, "souvenirs": "open"},),
    tables=(
        {"seats": 3},
        {"seats": 3, "if_left": "bot", "clock": {"move_seconds": 86400}},
        {"seats": 3, "if_left": "bot"},  # which needs a clock
    ),
    disturbed=(Disturbed({"clock": HASTE}),),
    phrase="bid ",
    words=frozenset({r"Dirham|Bazaar|Fountain|Street|Visitor"}),
    shortest=120,
    early=30,
    middle=60,
    whole=2,
    commands=7,
    picked=frozenset({"seat", "fountain", "to", "entrance", "shop", "end"}),
    places="",
    charts=("cash", "prices"),  # there are no dice
    scene=Scene(
        "marracash-four-players",
        "GroupMoved",
        4,
        PutUp("P4", 100),
        ("capital", "auction"),
        ("board/fountains", "board/streets", "shops/count"),
        ("cash", "sold"),
    ),
    examples={
        "BidUpTo": {"type": "BidUpTo", "most": 475},
        "CeilingSet": {
            "type": "CeilingSet",
            "seat": 1,
            "tenure": 0,
            "salt": "5b1f0c6e9d3a42787e0f4c21b8d96a35",
            "most": 475,
        },
        "WithdrawCeiling": {"type": "WithdrawCeiling"},
        "CeilingWithdrawn": {"type": "CeilingWithdrawn", "seat": 1},
    },
    turns=("TurnStarted", "seat"),
    changed="marracash-three-players",
    levels=("random", "merchant"),
    short=ShortGame("marracash", 3, _let_pass, 138),
    computer=AgainstTheComputer(
        "Merchant", "phone", ShortGame("marracash", 4, STRATEGIES["marracash"]["merchant"](5), 213)
    ),
    long=LongGame(4, "merchant", 8, last=31),  # in this one, Ada is asked in turn 31 for the last time
    clients=frozenset({"java", "ruby", "openapi_typescript", "swagger_typescript_api"}),
    choices=frozenset({"NumberChoice", "Range", "StreetChoice", "TextChoice"}),
    read=frozenset({"TextChoice", "NumberChoice", "StreetChoice", "Range"}),
    sent=frozenset({"PutUp", "MoveGroup", "LetIn"}),
    calibrated=(Calibrated(3, 40),),
    wrong_positions=(
        # MarraCash has 54 visitors; a player has a few signs.
        WrongPosition("groups[0]", {"red": 54}, "groups", "red visitors instead of"),
        WrongPosition("queue", [], "groups", "with queue and shops"),
        WrongPosition("seat", 4, "seat", "4 is not between 0 and 3"),
        WrongPosition("shops", [{"owner": 0}] * 25, "shops", "seat 0 has 25 shops"),
        WrongPosition("shops[0]", {"owner": None, "customers": 1}, "shops[0].customers", "nobody owns the shop"),
        WrongPosition("winners", [1], "winners", "it can only be () here"),
        WrongPosition("turn", 0, "turn", "0 is not between 1"),
    ),
)
