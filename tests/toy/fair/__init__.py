"""The wool fair: a game for two to five traders who buy and sell wool at the price of the day, for florins."""

from mcmulti.domain.core.commands import LeaveSeat, StartGame, TakeSeat
from mcmulti.domain.core.event import evolve, transfers
from mcmulti.domain.core.offer_sentences import OfferSentences
from mcmulti.domain.core.refusals import Refusals
from mcmulti.domain.core.ruleset import Books, Commands, Dice, Ruleset, Texts
from tests.toy.fair.days import thrown
from tests.toy.fair.flow import CARRY_OUT, LIMITS, NAME, admitted, carrying_out, offering, opening, status, to_move
from tests.toy.fair.state import Fair, Setup
from tests.toy.fair.texts import COMPONENTS, EVENTS, OFFERS, REFUSALS, RULES, WORDS, Phrases, telling
from tests.toy.fair.trading import BuyWool, SellWool, Wait, offers
from tests.toy.fair.view import WoolFairView, gauges, outcome, view

MOVES = (LeaveSeat, StartGame, BuyWool, SellWool, Wait)

RULESET: Ruleset[Fair] = Ruleset(
    name=NAME,
    version=1,
    title="The wool fair",
    setup=Setup,
    commands=Commands(moves=MOVES, joining=TakeSeat, starting=StartGame),
    events=EVENTS,
    state_type=Fair,
    view_type=WoolFairView,
    open=opening(NAME, 1),
    offers=offering(offers),
    admit=admitted(offers, LIMITS),
    carry_out=carrying_out(CARRY_OUT),
    evolve=evolve,
    view=view,
    status=status,
    to_move=to_move,
    turn=lambda state: state.day,
    outcome=outcome,
    texts=Texts(
        rules=RULES,
        words=WORDS,
        limits=LIMITS,
        tell=telling(EVENTS, Phrases),
        tell_offer=OfferSentences((TakeSeat, *MOVES), Phrases, OFFERS).tell,
        tell_refusal=Refusals(LIMITS, REFUSALS).tell,
        components=COMPONENTS,
    ),
    books=Books(transfers=transfers, money="florins", gauges=gauges),
    dice=Dice(thrown=thrown),
)
