"""Offers of the box game with the sentences that people should read, written by hand in both languages.

Prices are those of Recovery, unless a situation names another economy.
"""

from typing import NamedTuple

from msgspec.structs import replace

from mcmulti.domain.core.capabilities.undo import AskTakeBack
from mcmulti.domain.core.capabilities.votes import ProposeEnd
from mcmulti.domain.core.commands import Command, TakeSeat
from mcmulti.domain.core.offers import Offer
from mcmulti.domain.core.wording.data import texts
from mcmulti.domain.core.wording.telling import joined
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import BuyAsset, EndPurchases, RollDice
from mcmulti.domain.mcmulti.flow import FLOW
from mcmulti.domain.mcmulti.state import State
from tests.pure.mcmulti.situations import after, assets_phase, offered, rolled, site, situation, started, table
from tests.timed import timed

COMMANDS: tuple[type[Command], ...] = (TakeSeat, *FLOW.by_itself, *FLOW.moves)
ROOMS = tuple(capability.room for capability in FLOW.capabilities)
TEMPLATES = joined(
    *(texts(room, "offers.toml") for room in ("mcmulti.domain.core.wording", *ROOMS, "mcmulti.domain.mcmulti"))
)


class OfferTold(NamedTuple):
    """An offer in a situation, and its sentence."""

    state: State
    offer: Offer
    en: str
    de: str


def _besides(state: State, command: str, en: str, de: str, seat: int = 0) -> OfferTold:
    """What a seat is offered at any time."""
    [offer] = [offer for offer in RULESET.besides(state, seat) if offer.command == command]
    return OfferTold(state, offer, en, de)


def _told(state: State, command: str, en: str, de: str, number: int = 0, seat: int | None = 0) -> OfferTold:
    """The offer of this number among those of the command."""
    return OfferTold(state, offered(state, seat, command)[number], en, de)


_HIT = rolled(situation(assets={0: "rig 2-5, station 2-1"}, gasoline=2), 2, 5)
"""Red 2 and black 5 hit the rig twice and the station once."""
_WORKING = rolled(situation(assets={0: "refinery 2-5, well 2-1"}, crude=3), 2, 5)
"""The refinery's top-left site is hit by both dice, the well by one."""
_IDLE = assets_phase(
    situation(
        cash=800,
        assets={0: "rig 1-1, well 1-3, refinery 4-4"},
        idle={0: "refinery 4-4"},
        active=("global_warming_threat",),
    )
)
_NEWS = after(situation(assets={0: "refinery 5-5"}, likelier="global_warming_threat"), 0, RollDice(), (1, 1))
_TIMED = timed(situation(), bank_seconds=600)
_BOUGHT_ONCE = after(started(undo="agreed"), 0, BuyAsset("rig", site("1-1")))
_BOUGHT = after(_BOUGHT_ONCE, 0, BuyAsset("rig", site("1-2")))

OFFERS = (
    _told(table(taken=(0,)), "TakeSeat", "Take a free seat.", "Einen freien Platz einnehmen.", seat=None),
    _told(
        table(taken=(0, 2), opener=0),
        "StartGame",
        "Start the game with 2 players.",
        "Das Spiel mit 2 Spielern beginnen.",
    ),
    _told(
        table(taken=(0, 2)),
        "AgreeToStart",
        "Agree to start the game with 2 players.",
        "Zustimmen, das Spiel mit 2 Spielern zu beginnen.",
    ),
    _besides(situation(), "Resign", "Leave the game for good.", "Das Spiel endgültig verlassen."),
    _besides(
        situation(),
        "ProposeEnd",
        "Propose to everybody to end the game now.",
        "Allen vorschlagen, das Spiel jetzt zu beenden.",
    ),
    _besides(
        after(situation(turn=17), 1, ProposeEnd("rank")),
        "AnswerEnd",
        "Agree to end the game now with its final standings, or refuse.",
        "Zustimmen, das Spiel jetzt mit seinem Endstand zu beenden, oder ablehnen.",
    ),
    _besides(
        after(situation(), 1, ProposeEnd("call_off")),
        "AnswerEnd",
        "Agree to call the game off, or refuse.",
        "Zustimmen, das Spiel abzubrechen, oder ablehnen.",
    ),
    _told(table(), "LeaveSeat", "Leave the table.", "Den Tisch verlassen."),
    _besides(
        _BOUGHT,
        "TakeBack",
        "Take back up to 2 of your own moves, the latest first.",
        "Bis zu 2 eigene Züge zurücknehmen, den letzten zuerst.",
    ),
    _besides(
        _BOUGHT,
        "AskTakeBack",
        "Ask the others to take back 1 to 2 moves, the latest first.",
        "Die anderen bitten, 1 bis 2 Züge zurückzunehmen, den letzten zuerst.",
        seat=1,
    ),
    _besides(_BOUGHT_ONCE, "TakeBack", "Take back your last move.", "Deinen letzten Zug zurücknehmen."),
    _besides(
        _BOUGHT_ONCE,
        "AskTakeBack",
        "Ask the others to take back the last move.",
        "Die anderen bitten, den letzten Zug zurückzunehmen.",
        seat=1,
    ),
    _besides(
        after(after(started(undo="agreed"), 0, EndPurchases()), 1, BuyAsset("rig", site("1-1", 1))),
        "AskTakeBack",
        "Ask the others to take back the last 2 moves.",
        "Die anderen bitten, die letzten 2 Züge zurückzunehmen.",
        seat=1,
    ),
    _besides(
        after(_BOUGHT, 1, AskTakeBack(2)),
        "AnswerTakeBack",
        "Agree to take moves back, as another player asks, or refuse.",
        "Zulassen, dass Züge zurückgenommen werden, wie jemand bittet, oder nicht.",
    ),
    _told(
        started(),
        "BuyAsset",
        "Buy a rig for $5M and place it on a free site (there are 36).",
        "Für 5 Mio. $ einen Bohrturm kaufen und auf ein freies Feld stellen (frei: 36).",
    ),
    _told(
        started(),
        "BuyAsset",
        "Buy a refinery for $64M and place it on a free block of four sites (there are 25).",
        "Für 64 Mio. $ eine Raffinerie kaufen und auf einen freien Block von vier Feldern stellen (frei: 25).",
        number=2,
    ),
    _told(
        started(), "EndPurchases", "Buy nothing more for this quadrant.", "Für diesen Quadranten nichts mehr kaufen."
    ),
    _told(
        situation(cash=13),
        "BuyBarrels",
        "Buy up to 2 barrels of crude on the domestic market, at $6M to $7M.",
        "Auf dem Inlandsmarkt bis zu 2 Fässer Rohöl kaufen, zum Preis von 6 Mio. $ bis 7 Mio. $.",
    ),
    _told(
        situation(gasoline=1),
        "SellBarrels",
        "Sell 1 barrel of gasoline on the foreign market, at $14M.",
        "Auf dem Auslandsmarkt 1 Fass Benzin verkaufen, zum Preis von 14 Mio. $.",
        number=1,
    ),
    _told(situation(), "RollDice", "Close the market phase and roll the dice.", "Die Marktphase beenden und würfeln."),
    _told(
        rolled(situation(assets={0: "station 2-5, station 2-1"}, gasoline=5), 2, 5),
        "SellGasoline",
        "Sell up to 3 barrels of gasoline to the consumers, at $25M to $23M.",
        "Den Verbrauchern bis zu 3 Fässer Benzin verkaufen, zum Preis von 25 Mio. $ bis 23 Mio. $.",
    ),
    _told(
        _WORKING,
        "RefineCrude",
        "Refine up to 2 barrels of crude into gasoline.",
        "Aus Rohöl bis zu 2 Fässer Benzin raffinieren.",
    ),
    _told(
        _WORKING,
        "PumpCrude",
        "Pump up to 2 barrels of crude, two or four per well.",
        "Rohöl fördern: bis zu 2 Fässer, zwei oder vier je Ölquelle.",
    ),
    _told(
        _HIT,
        "StrikeOil",
        "Turn the rig into a well for $5M.",
        "Den Bohrturm für 5 Mio. $ in eine Ölquelle umwandeln.",
    ),
    _told(_HIT, "EndProduction", "Operate nothing more.", "Nichts mehr betreiben."),
    _told(_IDLE, "SellAsset", "Sell a rig for $3M.", "Für 3 Mio. $ einen Bohrturm verkaufen."),
    _told(_IDLE, "SellAsset", "Sell a well for $30M.", "Für 30 Mio. $ eine Ölquelle verkaufen.", number=1),
    _told(
        _IDLE,
        "CleanUp",
        "Clean up an idle refinery for $25M.",
        "Für 25 Mio. $ eine stillstehende Raffinerie sanieren.",
    ),
    _told(
        _NEWS,
        "EndCleanUp",
        "Leave the other refineries idle for now.",
        "Die anderen Raffinerien vorerst stillstehen lassen.",
    ),
    _told(
        replace(_NEWS, setup=replace(_NEWS.setup, unpaid_clean_up="sold")),
        "EndCleanUp",
        "Pay for no more clean-ups, and sell the other refineries at once.",
        "Keine weiteren Sanierungen zahlen und die anderen Raffinerien sofort verkaufen.",
    ),
    _told(_IDLE, "EndTurn", "End the turn.", "Den Zug beenden."),
    _told(
        _IDLE,
        "DeclareVictory",
        "Declare victory with $750M or more in cash, and end the turn.",
        "Mit mindestens 750 Mio. $ Bargeld den Sieg erklären und den Zug beenden.",
    ),
    _besides(
        replace(_TIMED, setup=replace(_TIMED.setup, instructions=5)),
        "Instruct",
        "Set what to operate when you are asked in other players' turns, or end your instruction.",
        "Festlegen, was du in Zügen anderer betreibst, oder dass nichts mehr gilt.",
    ),
    _besides(
        _TIMED,
        "GrantTime",
        "Grant the player to move as much extra time as the clock allows for a move.",
        "Wer gefragt ist, noch einmal so lange Zeit gewähren, wie die Uhr für einen Zug erlaubt.",
        seat=1,
    ),
    _told(
        _TIMED,
        "UseBank",
        "Take up to 600 seconds from the bank of the seat to move.",
        "Bis zu 600 Sekunden aus der Reserve des gefragten Platzes nehmen.",
        seat=None,
    ),
    _told(
        _TIMED,
        "TimeOut",
        "Give the default answers for the seat to move, because its time is up.",
        "Für den gefragten Platz die Standardantworten geben: Seine Zeit ist um.",
        seat=None,
    ),
    _told(
        _TIMED,
        "EndLongGame",
        "End the game, because it has reached its maximum length.",
        "Die Partie beenden, die so lang ist, wie eine Partie werden darf.",
        seat=None,
    ),
)
