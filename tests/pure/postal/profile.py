"""What tests know about McMulti by post."""

from mcmulti.bots.strategy import Command, Offer, View
from mcmulti.domain.postal.commands import HoldRound
from mcmulti.domain.postal.refereeing import ending
from tests.profiles import OIL_WORDS, Calibrated, Disturbed, LongGame, Profile, Scene, ShortGame, WrongPosition
from tests.pure.postal.games import postal_game, whimsically
from tests.pure.postal.sheets import fill


def _sell_once(view: View, offers: list[Offer]) -> list[Command]:
    """A sheet that sells a barrel, and then empty ones: the game ends by standstill."""
    sale = {"type": "SellBarrelsOrder", "market": "foreign", "good": "gasoline", "quantity": 2}
    sheet = {"trades": [sale]} if view["round"] == 1 else {}
    return [{"type": "SubmitOrders", "round": view["round"], "sheet": sheet}]


PROFILE = Profile(
    written="""
        postal/start postal/markets postal/target postal/prices postal/strike-cost postal/demand postal/climate
        postal/order postal/orders postal/phase-1 postal/phase-2 postal/phase-3 postal/two-changes postal/pump
        postal/no-orders table/standstill
    """,
    order="board postal",
    options=frozenset(),
    refused=(({"if_left": "sold"}, "not_sold", "if_left"),),
    readings=frozenset({"third_double"}),
    tables=({"round_hours": 1}, {"round_hours": 2, "grace_hours": 1}),
    disturbed=(Disturbed({"round_hours": 1}),),
    phrase="withdraw orders ",
    words=OIL_WORDS
    | {r"Postal|(?<![`\"])\bpostal\b|Plot|OrderSheet|Climate"},  # in quotes, it is a reading of the box game
    fill=fill,
    random=lambda seed: postal_game(seed, whimsically),
    whole=2,
    shortest=120,
    early=8,
    middle=8,
    commands=5,
    picked=frozenset({"seat", "plot", "market", "good"}),
    places="",
    charts=("cash", "worth", "prices", "dice", "luck"),
    scene=Scene(
        "by-post-sales",
        "OrdersSubmitted",
        4,
        HoldRound(7, True),
        ("board", "setup"),
        ("site/one-asset", "postal/start", "table/start"),
        ("cash", "other_round"),
    ),
    examples={
        "HoldRound": {"type": "HoldRound", "round": 1, "hold": True},
        "WriteOrders": {"type": "WriteOrders", "round": 1, "text": "buy pump B3\npumps: sell not below 20"},
        "WithdrawOrders": {"type": "WithdrawOrders", "round": 1},
        "EndStanding": {"type": "EndStanding", "round": 1},
        "SetStanding": {
            "type": "SetStanding",
            "round": 3,
            "sheet": {"orders": [{"type": "ConvertRigOrder", "keep": 20}]},
        },
        "OrdersWithdrawn": {"type": "OrdersWithdrawn", "seat": 2, "round": 4},
        "HoldChanged": {"type": "HoldChanged", "seat": 2, "round": 4, "hold": True},
        "OrderCurtailed": {"type": "OrderCurtailed", "seat": 1, "line": 3, "asked": 5, "done": 2, "code": "barrels"},
        "DoubleVoided": {
            "type": "DoubleVoided",
            "seat": 1,
            "red": {"number": 3, "sides": 6, "value": 2},
            "black": {"number": 4, "sides": 6, "value": 2},
        },
        "PumpsHeld": {"type": "PumpsHeld", "seat": 3, "line": 6, "quantity": 2},
    },
    turns=("TurnBegan", "seat"),
    changed="by-post-sales",
    changes=8,
    unseen=frozenset({"PostalGameOpened.setup.round_hours", "PostalGameOpened.setup.grace_hours"}),
    levels=("random", "postal-tycoon", "postal-magnate"),
    short=ShortGame("postal", 4, _sell_once, 1, ending),
    long=LongGame(4),
    clients=frozenset({"python", "php_nextgen", "typescript_axios", "typescript_fetch", "orval"}),
    choices=frozenset({"FlagChoice", "Form", "NumberChoice"}),
    seldom="Range",
    read=frozenset({"NumberChoice", "FlagChoice"}),
    sent=frozenset({"HoldRound", "SubmitOrders", "WithdrawOrders"}),
    calibrated=(Calibrated(4, 40),),
    wrong_positions=(
        WrongPosition("quadrants[3].rigs", 2**36, "quadrants[3].rigs", "there are 36"),
        WrongPosition("players[2].gasoline", -3, "players[2].gasoline", "-3 is not between 0"),
        WrongPosition("foreign.gasoline", -1, "foreign.gasoline", "-1 is not between 0 and 26"),
        # By post: everybody has a turn in a round, and a sheet.
        WrongPosition("order", [0, 0, 1, 2], "order", "each seat has one turn"),
        WrongPosition("sheets", [], "sheets", "it has 0 items instead of 4"),
        WrongPosition("phase", "refereeing", "phase", "it can only be 'orders' here"),
    ),
)
