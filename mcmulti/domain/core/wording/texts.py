"""The texts of a rule set, read from the files of its folder and checked for completeness."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mcmulti.domain.core.commands import TakeSeat
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.flow import GameFlow
from mcmulti.domain.core.offers import Limit, Rejection
from mcmulti.domain.core.ruleset import Texts
from mcmulti.domain.core.wording.data import rules, texts
from mcmulti.domain.core.wording.phrases import Phrases
from mcmulti.domain.core.wording.sentences import Incomplete, OfferSentences, Sentences, complete, without_phrases
from mcmulti.domain.core.wording.telling import Language, Words, grouped, joined

_CORE = __package__
"""The package with the texts that all games share."""
_LAST = ("table/", "chance/")
"""Prefixes of the rules of tables and of chance, which follow those of the game, in this order."""


class Refusals:
    """Sentences for the refusals of a rule set. Raises `Incomplete` if a sentence is missing or unused."""

    __slots__ = ("_sentences",)

    def __init__(self, limits: Mapping[str, Limit], sentences: Words) -> None:
        for language, by_code in sentences.items():
            complete(limits, without_phrases(by_code), "code", language)
        self._sentences = sentences

    def tell(self, rejection: Rejection, language: Language) -> str:
        """Explain why something is refused."""
        sentence = self._sentences[language][rejection.code]
        phrases = self._sentences[language]

        def written(number: int | None) -> str:
            return "" if number is None else grouped(number, language)

        if rejection.line is not None:
            excess = phrases["phrases.excess"]
            return excess.format(line=rejection.line, sentence=sentence, limit=written(rejection.limit))
        if rejection.least is not None:
            name = "phrases.only" if rejection.least == rejection.limit else "phrases.range"
            name = "phrases.stepped" if rejection.step != 1 and rejection.least != rejection.limit else name
        elif rejection.limit:  # if nothing at all is possible, the sentence already tells
            name = "phrases.most"
        else:
            return sentence
        return phrases[name].format(
            sentence=sentence, least=written(rejection.least), limit=written(rejection.limit), step=rejection.step
        )


def texts_in(
    *rooms: str,
    flow: GameFlow[Any],
    events: Iterable[type[Event]],
    phrases: type[Phrases],
    components: Mapping[str, Any],
    properties: Mapping[str, str] | None = None,
) -> Texts[Any]:
    """The texts of a rule set, from `rules.toml`, `offers.toml`, and `refusals.toml` in its packages. Later packages
    win.

    The German rules are in `rules.de.toml`. The texts of capabilities are added. `absence.toml` describes the default
    answer of each phase; `{defaults}` in a rule stands for all of them. Raises `Incomplete` if a sentence is missing or
    unused.
    """
    own, shared = rooms, tuple(capability.room for capability in flow.capabilities)
    rooms = (*shared, *rooms)
    offers = joined(*(texts(room, "offers.toml") for room in (_CORE, *rooms)))
    why = joined(*(texts(room, "refusals.toml") for room in (_CORE, *rooms)))
    return Texts(
        rules=_rules(flow, own, rooms),
        words=phrases.WORDS,
        limits=flow.limits,
        tell=Sentences(events, phrases, shared).tell,
        tell_offer=OfferSentences((TakeSeat, *flow.by_itself, *flow.moves), phrases, offers).tell,
        tell_refusal=Refusals(flow.limits, why).tell,
        components=components,
        properties=properties or {},
        rooms=rooms,
    )


def _rules(flow: GameFlow[Any], own: Sequence[str], rooms: Sequence[str]) -> Words:
    """The game's own rules, then those of tables and chance, which all games share. A game can add to them.

    Raises `Incomplete` if a refusal names a rule without a text.
    """
    shared = joined(rules(_CORE), *(rules(room) for room in rooms if room not in own))
    said = _with_defaults(joined(shared, *(rules(room) for room in own)), flow, own)
    for language, texts_by_id in said.items():
        named = {limit.rule for limit in flow.limits.values() if limit.rule}
        if missing := named - texts_by_id.keys():
            raise Incomplete(f"no text of {', '.join(sorted(missing))} in {language!r}")
    return {
        language: dict(sorted(found.items(), key=lambda rule: [rule[0].startswith(each) for each in _LAST][::-1]))
        for language, found in said.items()
    }


def _with_defaults(rules: Words, flow: GameFlow[Any], own: Sequence[str]) -> Words:
    """The rules, with the default answers for absent players inserted where they are mentioned, in the order of the
    phases.
    """
    said: Words = {language: {} for language in rules}
    if flow.defaults:
        said = joined(*(texts(room, "absence.toml") for room in own))
    for language, sentences in said.items():
        if set(sentences) != set(flow.defaults):
            raise Incomplete(f"{language} default answers: {sorted(set(sentences) ^ set(flow.defaults))}")
    together = {language: " ".join(sentences[phase] for phase in flow.defaults) for language, sentences in said.items()}
    return {
        language: {rule: text.replace("{defaults}", together[language]).rstrip() for rule, text in found.items()}
        for language, found in rules.items()
    }
