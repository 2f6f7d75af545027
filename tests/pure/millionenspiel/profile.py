"""What tests know about the Millionenspiel."""

from mcmulti.bots.strategies.gambler.gambler import gambler
from mcmulti.bots.strategies.registry import STRATEGIES
from mcmulti.bots.strategy import Command, Offer, View
from mcmulti.domain.millionenspiel.phases.staking import Stake
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


def _stake_all(view: View, offers: list[Offer]) -> list[Command]:
    """As gamblers do, but with all they have."""
    stake = next((offer for offer in offers if offer["command"] == "Stake"), None)
    return [end(stake, -1)] if stake else gambler(view, offers)


PROFILE = Profile(
    written="""
        track/fields purse/denominations purse/exchange bank/pieces pension/cards
        stake/order pension/buy stake/pieces roll/decline roll/double settle/colour settle/decider pension/pay
        stake/return stake/nobody end/million end/at-stake table/standstill
    """,
    order="setup stake roll settle end",
    tables=(
        {"seats": 3},
        {"seats": 3, "clock": {"move_seconds": 3600, "bank_seconds": 1800}},
        {"seats": 3, "if_left": "passes"},
    ),
    disturbed=(Disturbed({"undo": "own"}), Disturbed({"clock": HASTE}, idle=True)),
    words=frozenset({r"Pension|StakeP|Million[ae]|Denomination"}),
    shortest=120,
    middle=9,
    whole=0,
    commands=6,
    charts=("cash", "dice", "luck"),  # only money counts, and no price moves
    scene=Scene(
        "millionenspiel-four-on-yellow",
        "StakePlaced",
        4,
        Stake(hundred_thousands=1),
        ("setup", "end"),
        ("track/fields", "purse/denominations", "setup/first-roller"),
        ("purse", "one_card"),
    ),
    turns=("StakingBegan", "roller"),
    changed="millionenspiel-four-on-yellow",
    levels=("random", "gambler"),
    short=ShortGame("millionenspiel", 3, _stake_all, 19),
    computer=AgainstTheComputer(
        "Gambler", "phone", ShortGame("millionenspiel", 4, STRATEGIES["millionenspiel"]["gambler"](5), 19)
    ),
    long=LongGame(3),
    clients=frozenset({"openapi_python_client", "go", "hey_api"}),
    choices=frozenset({"Range"}),
    seldom="NumberChoice",
    read=frozenset({"Range"}),
    sent=frozenset({"Stake", "AcceptThrow", "DeclineThrow"}),
    calibrated=(Calibrated(3, 24, 3, 6),),
    wrong_positions=(
        # Millionenspiel: the ring has fields from 0, and the left neighbor of the roller stakes first.
        WrongPosition("pawn", 1000, "pawn", "1000 is not between 0 and"),
        WrongPosition("roller", 4, "roller", "4 is not between 0 and 3"),
        WrongPosition("waiting", [], "waiting", "the last of them wait"),
        WrongPosition("players[0].purse.ones", 2**31 - 1, "players[0]", "more than"),
        WrongPosition("phase", "over", "phase", "does not wait for anybody"),
    ),
)
