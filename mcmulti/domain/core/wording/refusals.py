"""Sentences about refusals, in every language, for each code."""

from collections.abc import Mapping

from mcmulti.domain.core.offers import Limit, Rejection
from mcmulti.domain.core.wording.data import texts
from mcmulti.domain.core.wording.sentences import complete, without_phrases
from mcmulti.domain.core.wording.telling import Language, Words, grouped

TEMPLATES: Words = texts(__package__, "refusals.toml")
"""The sentences for the codes that every game has."""


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
