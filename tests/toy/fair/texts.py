"""What a fair says to people."""

from collections.abc import Callable

from mcmulti.domain.core import offer_sentences, refusals
from mcmulti.domain.core import phrases as common
from mcmulti.domain.core import table as seats
from mcmulti.domain.core.data import read, rules, texts
from mcmulti.domain.core.event import Event, events_of
from mcmulti.domain.core.sentences import Sentences
from mcmulti.domain.core.telling import Language, Words, joined
from tests.toy.fair import days, table, trading
from tests.toy.fair.state import Fair, Florins, Sacks

FILES: dict[Language, str] = {"en": "rules.toml", "de": "rules.de.toml"}
RULES = {language: rules(__package__, name) for language, name in FILES.items()}
COMPONENTS = read(__package__, "components.toml")
WORDS: Words = joined(common.WORDS, texts(__package__, "words.toml"))
TEMPLATES: Words = joined(common.TEMPLATES, texts(__package__, "sentences.toml"))
OFFERS: Words = joined(offer_sentences.TEMPLATES, texts(__package__, "offers.toml"))
REFUSALS: Words = joined(refusals.TEMPLATES, texts(__package__, "refusals.toml"))
EVENTS = events_of(seats, table, trading, days)


class Phrases(common.Phrases):
    """Phrases of a fair in one language."""

    __slots__ = ()

    WORDS = WORDS
    TEMPLATES = TEMPLATES
    SAID = (*common.Phrases.SAID, (Florins, "florins"), (Sacks, "sacks"))

    def florins(self, amount: int) -> str:
        """A sum of money."""
        return self.phrase("florin" if amount == 1 else "florins", amount=amount)

    def sacks(self, number: int) -> str:
        """So much wool."""
        return self.phrase("sack" if number == 1 else "sacks", number=number)


Tell = Callable[[Fair | None, Event, Language], str]


def telling(events: tuple[type[Event], ...], phrases: type[Phrases]) -> Tell:
    """What tells these events in these phrases."""
    sentences = Sentences(events, phrases)
    return lambda before, event, language: sentences.tell(event, phrases(before, language))
