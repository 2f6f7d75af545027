"""Every event of MarraCash, and what the game says to people: events, offers, refusals."""

from mcmulti.domain.core import offer_sentences, refusals
from mcmulti.domain.core import table as seats
from mcmulti.domain.core.data import texts
from mcmulti.domain.core.event import Event, events_of
from mcmulti.domain.core.offer_sentences import OfferSentences
from mcmulti.domain.core.refusals import Refusals
from mcmulti.domain.core.sentences import Sentences
from mcmulti.domain.core.telling import Language, joined
from mcmulti.domain.marracash import auction, customers, entrances, moves, table, turns
from mcmulti.domain.marracash.commands import MOVES, TakeSeat
from mcmulti.domain.marracash.limits import LIMITS
from mcmulti.domain.marracash.phrases import Phrases
from mcmulti.domain.marracash.state import Bazaar

EVENTS = events_of(seats, table, turns, auction, moves, customers, entrances)

_SENTENCES = Sentences(EVENTS, Phrases)
OFFERS = OfferSentences(
    (TakeSeat, *MOVES), Phrases, joined(offer_sentences.TEMPLATES, texts(__package__, "offers.toml"))
)
REFUSALS = Refusals(LIMITS, joined(refusals.TEMPLATES, texts(__package__, "refusals.toml")))


def tell(before: Bazaar | None, event: Event, language: Language) -> str:
    """What happened, in a sentence; `before` is the state before the event, None before the first.

    Raises `LookupError` for what cannot have happened then, such as the move of a seat that nobody has.
    """
    return _SENTENCES.tell(event, Phrases(before, language))
