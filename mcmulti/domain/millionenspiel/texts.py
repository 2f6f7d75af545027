"""What a game says to people."""

from typing import cast

from mcmulti.domain.core import every_table
from mcmulti.domain.core import phrases as common
from mcmulti.domain.core.event import events_of
from mcmulti.domain.core.figures import Money
from mcmulti.domain.core.offers import NumberChoice, Offer, Range
from mcmulti.domain.core.telling import Language
from mcmulti.domain.core.texts import texts_in
from mcmulti.domain.millionenspiel import (
    deciding,
    ending,
    losses,
    pensions,
    returning,
    rounds,
    settling,
    staking,
    table,
    throwing,
)
from mcmulti.domain.millionenspiel.components import COMPONENTS, FIELDS, GAINS, PROPERTIES, TRACK, Card, Colour
from mcmulti.domain.millionenspiel.flow import FLOW
from mcmulti.domain.millionenspiel.pensions import Paid, next_card
from mcmulti.domain.millionenspiel.pieces import KINDS, VALUES, Pieces
from mcmulti.domain.millionenspiel.staking import Staked
from mcmulti.domain.millionenspiel.state import Amount, FieldNumber, Millionenspiel, Round, Steps, Throw

EVENTS = events_of(
    *every_table.EVENTS_IN_TURN,
    table,
    rounds,
    staking,
    pensions,
    throwing,
    settling,
    deciding,
    losses,
    returning,
    ending,
)


class Phrases(common.Phrases, room=__package__, in_turn=True):
    """Phrases of a game in one language."""

    __slots__ = ("_state",)

    SAID = (
        *common.Phrases.SAID,
        (Amount, "number"),
        (Money, "number"),
        (Paid, "number"),
        (Staked, "number"),
        (Round, "number"),
        (Steps, "number"),
        (FieldNumber, "number"),
        (Card, "number"),
        (Pieces, "pieces"),
        (Throw, "throw"),
    )

    def __init__(self, state: Millionenspiel | None, language: Language) -> None:
        super().__init__(state, language)
        self._state = state

    def next_pension(self) -> str:
        """The card that may be bought. Raises `LookupError` where nobody may buy one."""
        if self._state is None:
            raise LookupError("nobody buys a card before the game")
        return self.number(next_card(self._state.players[self._state.waiting[0]].pension))

    def first_throw(self) -> str:
        """The throw that may be declined. Raises `LookupError` where there is none."""
        if self._state is None:
            raise LookupError("nobody throws before the game")
        return self.throw(self._state.throws[0])

    def landing(self) -> str:
        """Where the pawn lands if the first throw stands, and what that means. Raises `LookupError` before a throw."""
        state = self._state
        if state is None:
            raise LookupError("nobody throws before the game")
        throw = state.throws[0]
        if throw.double:
            return self.phrase("again")
        field = (state.pawn + throw.sum) % FIELDS
        named = self.phrase("arrow") if field == 0 else self.number(field)
        colour = TRACK[field]
        return self.phrase("landing", field=named, colour=self.word(colour), meaning=self._meaning(colour))

    def _meaning(self, colour: Colour) -> str:
        """What a field of a colour does to stakes (`settle/colour`)."""
        if colour in GAINS:
            times = GAINS[colour]
            return self.phrase("gain_once") if times == 1 else self.phrase("gain", times=self.number(times))
        return self.phrase({"beige": "stakes_lost", "green": "rest_lost", "black": "decider"}[colour])

    def kinds_of(self, offer: Offer) -> str:
        """How many pieces of each kind an offer takes at most, the highest first; kinds of which it takes none are left
        out."""
        counts = [(value, offer.fields[kind]) for kind, value in KINDS.items() if kind in offer.fields]
        kinds = [
            f"{self.number(most)} × {self.number(value)}"
            for value, field in reversed(counts)
            if (most := cast(Range | NumberChoice, field).options[-1])
        ]
        return self.listing(kinds) if kinds else "0"

    def pieces(self, pieces: Pieces) -> str:
        """What pieces come to, and which they are, the highest first."""
        kinds = [
            f"{self.number(number)} × {self.number(value)}"
            for number, value in zip(pieces.counts, VALUES, strict=True)
            if number
        ]
        worth = self.number(pieces.worth)
        return self.phrase("pieces", worth=worth, kinds=", ".join(reversed(kinds))) if kinds else "0"

    def throw(self, throw: Throw) -> str:
        """What two dice show."""
        return self.phrase("throw", first=throw.first.value, second=throw.second.value)


TEXTS = texts_in(__package__, flow=FLOW, events=EVENTS, phrases=Phrases, components=COMPONENTS, properties=PROPERTIES)
