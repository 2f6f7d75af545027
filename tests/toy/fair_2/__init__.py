"""The second version of the wool fair: there are two pens, and the first sack of the western one is cheaper.

A class with the same name as in the first version, but another meaning, is a class of its own.
"""

from typing import Literal

from msgspec.structs import replace

from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.course.posting import Transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Seat
from mcmulti.domain.core.offers import Limit, Offer, Range, TextChoice
from mcmulti.domain.core.ruleset import Commands, Ruleset
from mcmulti.domain.core.wording.texts import texts_in
from tests.toy import fair
from tests.toy.fair import texts, trading
from tests.toy.fair.flow import FLOW as FIRST
from tests.toy.fair.state import Fair, Florins, Play, Sacks

Pen = Literal["east", "west"]


class BuyWool(Command, frozen=True):
    """Buy sacks from one of the pens (`fair/pens`)."""

    sacks: trading.Load
    pen: Pen


def offers(state: Fair, seat: int, complete: bool) -> tuple[Offer, ...]:
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
    """Somebody bought wool from a pen, and `paid` this much in total."""

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


FLOW = replace(
    FIRST,
    limits={**FIRST.limits, "one_sack": Limit("one_sack", "fair/pens")},
    carriers={
        BuyWool if kind is trading.BuyWool else kind: buy_wool if kind is trading.BuyWool else carrier
        for kind, carrier in FIRST.carriers.items()
    },
    offers={"trading": offers},
)
EVENTS = tuple(WoolBought if event is trading.WoolBought else event for event in texts.EVENTS)


class Phrases(texts.Phrases, room=__package__):
    """Phrases of the second version."""

    __slots__ = ()


RULESET: Ruleset[Fair] = replace(
    fair.RULESET,
    version=2,
    commands=Commands(moves=FLOW.moves),
    events=EVENTS,
    flow=FLOW,
    texts=texts_in(fair.__name__, __package__, flow=FLOW, events=EVENTS, phrases=Phrases, components=texts.COMPONENTS),
)
