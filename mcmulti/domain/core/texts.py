"""What a rule set says to people, read from the files of its folder and checked against what it has to say."""

from collections.abc import Iterable, Mapping
from typing import Any

from mcmulti.domain.core import offer_sentences, refusals
from mcmulti.domain.core.commands import TakeSeat
from mcmulti.domain.core.data import rules, texts
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.flow import GameFlow
from mcmulti.domain.core.offer_sentences import OfferSentences
from mcmulti.domain.core.phrases import IN_TURN, Phrases
from mcmulti.domain.core.refusals import Refusals
from mcmulti.domain.core.ruleset import Texts
from mcmulti.domain.core.sentences import Sentences
from mcmulti.domain.core.telling import joined


def texts_in(
    *rooms: str,
    flow: GameFlow[Any],
    events: Iterable[type[Event]],
    phrases: type[Phrases],
    components: Mapping[str, Any],
    properties: Mapping[str, str] | None = None,
) -> Texts[Any]:
    """What a rule set says, from `rules.toml`, `offers.toml` and `refusals.toml` in its packages; the later prevails.

    The rules in German stand in `rules.de.toml`. Where seats are asked in turn, what is said of clocks and the like is
    added. Raises `Incomplete` where a sentence is missing or left over.
    """
    if flow.turn is not None:
        rooms = (*IN_TURN, *rooms)
    offers = joined(offer_sentences.TEMPLATES, *(texts(room, "offers.toml") for room in rooms))
    why = joined(refusals.TEMPLATES, *(texts(room, "refusals.toml") for room in rooms))
    return Texts(
        rules=joined(*(rules(room) for room in rooms)),
        words=phrases.WORDS,
        limits=flow.limits,
        tell=Sentences(events, phrases).tell,
        tell_offer=OfferSentences((TakeSeat, *flow.by_itself, *flow.moves), phrases, offers).tell,
        tell_refusal=Refusals(flow.limits, why).tell,
        components=components,
        properties=properties or {},
    )
