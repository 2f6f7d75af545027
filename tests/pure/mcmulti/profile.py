"""What tests know about the box game."""

from mcmulti.bots.strategies.registry import STRATEGIES
from mcmulti.bots.strategy import Command, Offer, View
from mcmulti.domain.mcmulti.commands import BuyBarrels
from mcmulti.domain.mcmulti.phases import ending
from tests.profiles import (
    HASTE,
    OIL_WORDS,
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


def _hold_out(view: View, offers: list[Offer]) -> list[Command]:
    """A rig each, and then nothing more: the game ends by standstill."""
    me = view["you"]
    owns = any(quadrant["owner"] == me and quadrant["assets"] for quadrant in view["quadrants"])
    offered = {offer["command"]: offer for offer in reversed(offers)}
    if not owns and "BuyAsset" in offered:
        site = offered["BuyAsset"]["fields"]["site"]["options"][14]  # in the middle, so that there is a way to it
        return [end(offered["BuyAsset"], 0) | {"site": site}]
    passing = next(name for name in ("EndPurchases", "RollDice", "EndProduction", "EndTurn") if name in offered)
    return [end(offered[passing], 0)]


PROFILE = Profile(
    written="""
        board/quadrants board/neighbours
        market/start market/buy market/sell market/one-per-turn
        consumer/start consumer/sale consumer/red-fields
        economy/cards economy/change
        news/double news/next-card news/debt-reduction-tax news/global-warming-threat news/state-sales-tax
        news/long-cold-winter news/snap-inspection news/world-market-uncertainty news/foreign-embargo
        news/domestic-price-freeze
        setup/seats setup/start-capital setup/first-player setup/news setup/target
        purchase/round purchase/cash-only
        site/one-asset site/refinery
        turn/phases
        dice/production-roll dice/difference
        production/hit production/order production/station production/refinery production/well production/rig
        neighbour/lines neighbour/single-hits neighbour/ghost neighbour/two-players
        assets/buy assets/sell
        end/declare end/last-round
        final/liquidation final/winner
        table/standstill
        forced/sale
        supply/unlimited
    """,
    order="setup purchase market dice news economy production neighbour assets end final",
    options=frozenset({"clock", "undo", "instructions"}),
    refused=(
        ({"if_left": "bot"}, "house_needs_clock", "if_left"),
        ({"instructions": 5, "clock": {"move_seconds": 20}}, "answers_too_late", "instructions"),
    ),
    readings=frozenset({"consumer_track", "refinery_sales", "unpaid_clean_up", "last_turns"}),
    setups=({"seats": 2}, {"seats": 3}),
    sold=True,
    tables=(
        {"seats": 2},
        {"seats": 3},
        {"seats": 2, "first_seat": 1},
        {"seats": 2, "first_seat": 3},  # there is no such seat
        {"seats": 2, "clock": {"move_seconds": 3600, "misses": 2}},
        {"seats": 3, "if_left": "sold"},
    ),
    disturbed=(Disturbed({"undo": "own"}), Disturbed({"clock": HASTE, "undo": "own"})),
    phrase="answer end ",
    words=OIL_WORDS | {r"SiteChoice|EconomyC|NewsT|StrikeOil"},
    shortest=120,
    early=30,
    middle=150,
    commands=12,
    picked=frozenset({"seat", "site", "market", "good"}),
    places="BuyAsset",
    charts=("cash", "worth", "prices", "dice", "luck"),
    scene=Scene(
        "four-players",
        "BarrelsBought",
        0,
        BuyBarrels("domestic", "crude", 144),
        ("board", "setup"),
        ("market/buy", "market/sell", "purchase/cash-only"),
        ("cash", "market_empty"),
    ),
    turns=("TurnBegan", "seat"),
    changed="two-players",
    unseen=frozenset({"GameOpened.setup.seats"}),
    levels=("random", "tycoon", "magnate"),
    short=ShortGame("mcmulti", 2, _hold_out, 61, ending),
    computer=AgainstTheComputer(
        "Tycoon", "desktop", ShortGame("mcmulti", 4, STRATEGIES["mcmulti"]["tycoon"](5), 121, ending)
    ),
    long=LongGame(4, "tycoon", 6),
    clients=frozenset(
        {
            *("python", "openapi_python_client", "go", "java", "ruby", "php_nextgen"),
            *("typescript_axios", "openapi_typescript", "typescript_fetch"),
            *("orval", "swagger_typescript_api", "hey_api"),
        }
    ),
    choices=frozenset({"Range", "SiteChoice", "TextChoice"}),
    read=frozenset({"TextChoice", "SiteChoice", "Range"}),
    sent=frozenset({"BuyAsset", "BuyBarrels", "EndPurchases", "RollDice", "EndProduction", "EndTurn"}),
    calibrated=(Calibrated(4, 120, 4, 12), Calibrated(3, 80, 4, 12), Calibrated(2, 80, 4, 12)),
    wrong_positions=(
        # Assets: a quadrant has 36 sites, with one asset on each (`site/one-asset`).
        WrongPosition("quadrants[0].rigs", 2**36, "quadrants[0].rigs", "there are 36"),
        WrongPosition("quadrants[0].rigs", -1, "quadrants[0].rigs", "there are 36"),
        WrongPosition("quadrants[1]", {"rigs": 1, "stations": 1}, "quadrants[1]", "two assets stand on one site"),
        WrongPosition("quadrants[1]", {"wells": 2, "refineries": 1}, "quadrants[1]", "two assets stand on one site"),
        WrongPosition("quadrants[1]", {"refineries": 0b11}, "quadrants[1].refineries", "two refineries stand on one"),
        WrongPosition("quadrants[1]", {"refineries": 1 << 5}, "quadrants[1].refineries", "reaches over the edge"),
        WrongPosition("quadrants[1]", {"idle": 1}, "quadrants[1].idle", "no refinery stands there"),
        # Money and barrels: nobody has debts.
        WrongPosition("players[1].cash", -1, "players[1].cash", "-1 is not between 0 and"),
        WrongPosition("players", [], "players", "it has 0 items instead of 4"),
        # Markets have 30 fields, by post 26. The consumers' track ends at 80.
        WrongPosition("domestic.crude", 31, "domestic.crude", "31 is not between 0 and 30"),
        WrongPosition("consumer_price", 81, "consumer_price", "81 is not on the track"),
        # Each of the eight news cards is in exactly one place.
        WrongPosition("news.pile", [], "news", "0 times instead of once"),
        WrongPosition("owners", [1, 0, 2, 3], "owners", "it can only be (0, 1, 2, 3) here"),
        WrongPosition("turn.seat", 9, "turn.seat", "it can only be"),
        WrongPosition("turn.quadrant", 4, "turn.quadrant", "4 is not between 0 and 3"),
        WrongPosition("phase", "over", "phase", "does not wait for anybody"),
        WrongPosition("phase", "news", "turn.card", "a card happens in the phase 'news'"),
        WrongPosition("turn", None, "phase", "it can only be 'purchase' here"),
        WrongPosition("winners", [0], "winners", "it says that the game is over"),
        WrongPosition("declared_by", 0, "last_turns", "if somebody declared victory"),
    ),
)
