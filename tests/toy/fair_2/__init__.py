"""The second version of the wool fair: wool stands in two pens, and of the western one the first sack is cheaper.

What is called as in the first version and means something else is a class of its own.
"""

from typing import Literal

from msgspec.structs import replace

from mcmulti.domain.core.commands import Command, TakeSeat
from mcmulti.domain.core.data import rules, texts
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Seat
from mcmulti.domain.core.offer_sentences import OfferSentences
from mcmulti.domain.core.offers import Limit, Offer, Range, TextChoice
from mcmulti.domain.core.posting import Transfer
from mcmulti.domain.core.refusals import Refusals
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.telling import joined
from tests.toy import fair
from tests.toy.fair import texts as first
from tests.toy.fair import trading
from tests.toy.fair.flow import CARRY_OUT, LIMITS, CarryOut, admitted, carrying_out, offering, opening
from tests.toy.fair.state import Fair, Florins, Play, Sacks
from tests.toy.fair.texts import EVENTS, FILES, OFFERS, REFUSALS, RULES, telling

Pen = Literal["east", "west"]


class BuyWool(Command, frozen=True):
    """Buy sacks from one of the pens (`fair/pens`)."""

    sacks: trading.Load
    pen: Pen


def offers(state: Fair) -> tuple[Offer, ...]:
    """One sack from the western pen for a florin less, or more from the eastern one; sell, or wait."""
    florins, price = state.traders[state.at].florins, state.price
    pens: tuple[tuple[Pen, Range, int], ...] = (
        ("east", trading.load(florins // price, "purse"), price),
        ("west", Range(1, 1, "one_sack"), price - 1),
    )
    return (
        *(
            Offer(
                "BuyWool",
                "fair/pens",
                {"sacks": buying, "pen": TextChoice((pen,))},
                cost,
                blocked_by=None if buying.max and florins >= cost else "purse",
            )
            for pen, buying, cost in pens
        ),
        *trading.offers_selling(state),
    )


class WoolBought(Event, frozen=True):
    """Somebody bought wool from a pen, and `paid` so much for all of it."""

    seat: Seat
    sacks: Sacks
    pen: Pen
    paid: Florins

    def evolve(self, state: Fair) -> Fair:
        return trading.gone(state, self.seat, -self.paid, self.sacks)

    def transfers(self) -> tuple[Transfer, ...]:
        return trading.trade(self.seat, self.paid, self.sacks, f"pen:{self.pen}", "purchase")


def buy_wool(play: Play, seat: int, command: BuyWool, offer: Offer) -> None:
    play.record(WoolBought(seat, command.sacks, command.pen, command.sacks * offer.cost), offer.rule)


_STEPS: dict[type[Command], CarryOut] = {**CARRY_OUT, BuyWool: buy_wool}
_EVENTS = tuple(WoolBought if event is trading.WoolBought else event for event in EVENTS)
_MOVES = tuple(BuyWool if move is trading.BuyWool else move for move in fair.MOVES)
_LIMITS = LIMITS | {"one_sack": Limit("one_sack", "fair/pens")}


class Phrases(first.Phrases):
    """Phrases of the second version."""

    __slots__ = ()

    WORDS = joined(first.WORDS, texts(__package__, "words.toml"))
    TEMPLATES = joined(first.TEMPLATES, texts(__package__, "sentences.toml"))


_TEXTS = replace(
    fair.RULESET.texts,
    rules={language: RULES[language] | rules(__package__, name) for language, name in FILES.items()},
    words=Phrases.WORDS,
    limits=_LIMITS,
    tell=telling(_EVENTS, Phrases),
    tell_offer=OfferSentences((TakeSeat, *_MOVES), Phrases, joined(OFFERS, texts(__package__, "offers.toml"))).tell,
    tell_refusal=Refusals(_LIMITS, joined(REFUSALS, texts(__package__, "refusals.toml"))).tell,
)

RULESET: Ruleset[Fair] = replace(
    fair.RULESET,
    version=2,
    commands=replace(fair.RULESET.commands, moves=_MOVES),
    events=_EVENTS,
    open=opening(fair.RULESET.name, 2),
    offers=offering(offers),
    admit=admitted(offers, _LIMITS),
    carry_out=carrying_out(_STEPS),
    texts=_TEXTS,
)
