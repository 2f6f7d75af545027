"""What a game says to people."""

from mcmulti.domain.core import offer_sentences, refusals
from mcmulti.domain.core import phrases as common
from mcmulti.domain.core import table as seats
from mcmulti.domain.core.commands import LeaveSeat, StartGame, TakeSeat
from mcmulti.domain.core.data import rules, texts
from mcmulti.domain.core.event import Event, events_of
from mcmulti.domain.core.figures import Money
from mcmulti.domain.core.offer_sentences import OfferSentences
from mcmulti.domain.core.refusals import Refusals
from mcmulti.domain.core.sentences import Sentences
from mcmulti.domain.core.telling import Language, Words, joined
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
from mcmulti.domain.millionenspiel.components import Card
from mcmulti.domain.millionenspiel.limits import LIMITS
from mcmulti.domain.millionenspiel.pensions import BuyPension, Paid, next_card
from mcmulti.domain.millionenspiel.pieces import VALUES, Pieces
from mcmulti.domain.millionenspiel.staking import Stake, Staked
from mcmulti.domain.millionenspiel.state import Amount, FieldNumber, Millionenspiel, Round, Steps, Throw
from mcmulti.domain.millionenspiel.throwing import AcceptThrow, DeclineThrow

FILES: dict[Language, str] = {"en": "rules.toml", "de": "rules.de.toml"}
RULES = {language: rules(__package__, name) for language, name in FILES.items()}
WORDS: Words = joined(common.WORDS, texts(__package__, "words.toml"))
TEMPLATES: Words = joined(common.TEMPLATES, texts(__package__, "sentences.toml"))
EVENTS = events_of(seats, table, rounds, staking, pensions, throwing, settling, deciding, losses, returning, ending)

MOVES = (LeaveSeat, StartGame, BuyPension, Stake, AcceptThrow, DeclineThrow)
"""What seats send."""


class Phrases(common.Phrases):
    """Phrases of a game in one language."""

    __slots__ = ("_state",)

    WORDS = WORDS
    TEMPLATES = TEMPLATES
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

    def pieces(self, pieces: Pieces) -> str:
        """What pieces come to, and which they are, the highest first."""
        kinds = [f"{number} × {value}" for number, value in zip(pieces.counts, VALUES, strict=True) if number]
        return self.phrase("pieces", worth=pieces.worth, kinds=", ".join(reversed(kinds))) if kinds else "0"

    def throw(self, throw: Throw) -> str:
        """What two dice show."""
        return self.phrase("throw", first=throw.first.value, second=throw.second.value)


_SENTENCES = Sentences(EVENTS, Phrases)
OFFERS = OfferSentences(
    (TakeSeat, *MOVES), Phrases, joined(offer_sentences.TEMPLATES, texts(__package__, "offers.toml"))
)
REFUSALS = Refusals(LIMITS, joined(refusals.TEMPLATES, texts(__package__, "refusals.toml")))


def tell(before: Millionenspiel | None, event: Event, language: Language) -> str:
    """What happened, in a sentence."""
    return _SENTENCES.tell(event, Phrases(before, language))
