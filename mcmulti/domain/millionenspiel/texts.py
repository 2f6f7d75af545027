"""What a game says to people."""

from mcmulti.domain.core import phrases as common
from mcmulti.domain.core import table as seats
from mcmulti.domain.core.data import rules, texts
from mcmulti.domain.core.event import Event, events_of
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
from mcmulti.domain.millionenspiel.pieces import VALUES, Pieces
from mcmulti.domain.millionenspiel.state import Amount, FieldNumber, Millionenspiel, Round, Steps, Throw

FILES: dict[Language, str] = {"en": "rules.toml", "de": "rules.de.toml"}
RULES = {language: rules(__package__, name) for language, name in FILES.items()}
WORDS: Words = joined(common.WORDS, texts(__package__, "words.toml"))
TEMPLATES: Words = joined(common.TEMPLATES, texts(__package__, "sentences.toml"))
EVENTS = events_of(seats, table, rounds, staking, pensions, throwing, settling, deciding, losses, returning, ending)


class Phrases(common.Phrases):
    """Phrases of a game in one language."""

    __slots__ = ()

    WORDS = WORDS
    TEMPLATES = TEMPLATES
    SAID = (
        *common.Phrases.SAID,
        (Amount, "number"),
        (Round, "number"),
        (Steps, "number"),
        (FieldNumber, "number"),
        (Card, "number"),
        (Pieces, "pieces"),
        (Throw, "throw"),
    )

    def pieces(self, pieces: Pieces) -> str:
        """What pieces come to, and which they are, the highest first."""
        kinds = [f"{number} × {value}" for number, value in zip(pieces.counts, VALUES, strict=True) if number]
        return self.phrase("pieces", worth=pieces.worth, kinds=", ".join(reversed(kinds))) if kinds else "0"

    def throw(self, throw: Throw) -> str:
        """What two dice show."""
        return self.phrase("throw", first=throw.first.value, second=throw.second.value)


_SENTENCES = Sentences(EVENTS, Phrases)


def tell(before: Millionenspiel | None, event: Event, language: Language) -> str:
    """What happened, in a sentence."""
    return _SENTENCES.tell(event, Phrases(before, language))
