"""What a rule set says to people, read from the files of its folder and checked against what it has to say."""

from collections.abc import Iterable, Mapping, Sequence
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
from mcmulti.domain.core.sentences import Incomplete, Sentences
from mcmulti.domain.core.telling import Words, joined


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
    added. `absence.toml` says by phase what the default answer is; `{defaults}` in a rule stands for all of them.
    Raises `Incomplete` where a sentence is missing or left over.
    """
    if flow.turn is not None:
        rooms = (*IN_TURN, *rooms)
    offers = joined(offer_sentences.TEMPLATES, *(texts(room, "offers.toml") for room in rooms))
    why = joined(refusals.TEMPLATES, *(texts(room, "refusals.toml") for room in rooms))
    return Texts(
        rules=_with_defaults(joined(*(rules(room) for room in rooms)), flow, rooms),
        words=phrases.WORDS,
        limits=flow.limits,
        tell=Sentences(events, phrases).tell,
        tell_offer=OfferSentences((TakeSeat, *flow.by_itself, *flow.moves), phrases, offers).tell,
        tell_refusal=Refusals(flow.limits, why).tell,
        components=components,
        properties=properties or {},
    )


def _with_defaults(rules: Words, flow: GameFlow[Any], rooms: Sequence[str]) -> Words:
    """The rules, with what is done for a player who is away where they mention it, in the order of the phases."""
    if not flow.defaults:
        return rules
    said = joined(*(texts(room, "absence.toml") for room in rooms if room not in IN_TURN))
    for language, sentences in said.items():
        if set(sentences) != set(flow.defaults):
            raise Incomplete(f"{language} default answers: {sorted(set(sentences) ^ set(flow.defaults))}")
    together = {language: " ".join(sentences[phase] for phase in flow.defaults) for language, sentences in said.items()}
    return {
        language: {rule: text.replace("{defaults}", together[language]) for rule, text in found.items()}
        for language, found in rules.items()
    }
