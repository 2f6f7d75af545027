"""Every event of the postal game, and what the game says to people: events, offers, refusals."""

from mcmulti.domain.core import offer_sentences, refusals
from mcmulti.domain.core import table as seats
from mcmulti.domain.core.data import texts
from mcmulti.domain.core.event import Event, events_of
from mcmulti.domain.core.offer_sentences import OfferSentences
from mcmulti.domain.core.refusals import Refusals
from mcmulti.domain.core.sentences import Sentences
from mcmulti.domain.core.telling import Language, joined
from mcmulti.domain.oil import assets as buying
from mcmulti.domain.oil import ending as end
from mcmulti.domain.oil import production as operating
from mcmulti.domain.oil import trading as dealing
from mcmulti.domain.postal import (
    assets,
    carrying_out,
    climate,
    defaults,
    dice,
    ending,
    production,
    refereeing,
    table,
    trading,
)
from mcmulti.domain.postal.commands import AUTOMATIC, MOVES, TakeSeat
from mcmulti.domain.postal.limits import LIMITS
from mcmulti.domain.postal.phrases import Phrases
from mcmulti.domain.postal.state import State

EVENTS = events_of(
    seats,
    table,
    refereeing,
    defaults,
    carrying_out,
    buying,
    assets,
    dealing,
    trading,
    dice,
    climate,
    operating,
    production,
    end,
    ending,
)

_SENTENCES = Sentences(EVENTS, Phrases)
OFFERS = OfferSentences(
    (TakeSeat, *AUTOMATIC, *MOVES), Phrases, joined(offer_sentences.TEMPLATES, texts(__package__, "offers.toml"))
)
REFUSALS = Refusals(LIMITS, joined(refusals.TEMPLATES, texts(__package__, "refusals.toml")))


def tell(before: State | None, event: Event, language: Language) -> str:
    """What happened, in a sentence; `before` is the state before the event, None before the first.

    Raises `LookupError` for what cannot have happened then, such as the move of a seat that nobody has.
    """
    return _SENTENCES.tell(event, Phrases(before, language))
