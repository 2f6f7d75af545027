"""Every event of the box game, and what the game says to people: events, offers, refusals."""

from mcmulti.domain.core import offer_sentences, refusals
from mcmulti.domain.core import table as seats
from mcmulti.domain.core.data import texts
from mcmulti.domain.core.event import Event, events_of
from mcmulti.domain.core.offer_sentences import OfferSentences
from mcmulti.domain.core.refusals import Refusals
from mcmulti.domain.core.sentences import Sentences
from mcmulti.domain.core.telling import Language, joined
from mcmulti.domain.mcmulti import (
    assets,
    consumer,
    dice,
    ending,
    news_cards,
    operations,
    production,
    purchase,
    shortages,
    table,
    taxes,
    warming,
)
from mcmulti.domain.mcmulti.commands import MOVES, TakeSeat
from mcmulti.domain.mcmulti.limits import LIMITS
from mcmulti.domain.mcmulti.phrases import Phrases
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.oil import assets as buying
from mcmulti.domain.oil import ending as end
from mcmulti.domain.oil import trading

EVENTS = events_of(
    seats,
    table,
    purchase,
    buying,
    news_cards,
    taxes,
    warming,
    shortages,
    consumer,
    trading,
    dice,
    production,
    operations,
    assets,
    end,
    ending,
)

_SENTENCES = Sentences(EVENTS, Phrases)
OFFERS = OfferSentences(
    (TakeSeat, *MOVES), Phrases, joined(offer_sentences.TEMPLATES, texts(__package__, "offers.toml"))
)
REFUSALS = Refusals(LIMITS, joined(refusals.TEMPLATES, texts(__package__, "refusals.toml")))


def tell(before: State | None, event: Event, language: Language) -> str:
    """What happened, in a sentence; `before` is the state before the event, None before the first.

    Raises `LookupError` for what cannot have happened then, such as the move of a seat that nobody has.
    """
    return _SENTENCES.tell(event, Phrases(before, language))
