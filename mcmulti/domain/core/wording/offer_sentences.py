"""Sentences about offers: a template in every language, named by the command, filled from the offer.

Braces contain one of these: ``{price}``, what the offer costs or earns; a field of the command, which stands for its
only possible value, or the greatest of several; another property of the offer's field, such as
``{quantity.prices:spread}``; a phrase made of the whole offer, such as ``{offer:paid}``; or something that the phrases
of the game know of its state, such as ``{players}``.
"""

from collections.abc import Iterable, Mapping
from inspect import signature
from typing import Any

from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.figures import Money
from mcmulti.domain.core.offers import Offer
from mcmulti.domain.core.wording.phrases import Phrases
from mcmulti.domain.core.wording.sentences import Incomplete, Reader, Saying, Templates
from mcmulti.domain.core.wording.telling import Language, Words

MOST = 16_384
"""The most sentences in the cache."""


class _OfferReader(Reader[Command]):
    noun = "command"

    def saying(self, name: str, method: str | None, named: str) -> Saying:
        field, _, besides = name.partition(".")
        if name == "price":
            return lambda offer: offer.price, self.said(name, Money, method, named)
        if name == "offer":
            return lambda offer: offer, self.said(name, None, method, named)
        if besides and field in self.fields:
            return lambda offer: getattr(offer.fields[field], besides), self.said(name, None, method, named)
        if field in self.fields:
            return lambda offer: offer.fields[field].options[-1], self.said(name, self.fields[field], method, named)
        known = getattr(self.phrases, name, None)
        if method is not None or not callable(known) or len(signature(known).parameters) != 1:
            raise Incomplete(f"{named}: neither the command nor the phrases of the game have {{{name}}}")
        return lambda offer: known, _says


def _says(say: Phrases, known: Any) -> str:
    return known(say)  # type: ignore[no-any-return]


class OfferSentences(Templates[Command]):
    """Sentences for the offers of a rule set. Raises `Incomplete` if a sentence is missing or unused.

    Unless a sentence asks the phrases about the state, it is the same in every state, and cached: offers are read at
    every move, and rules state the same ones again.
    """

    __slots__ = ("_asking", "_commands", "_kept", "_phrases", "_stateless")

    def __init__(self, commands: Iterable[type[Command]], phrases: type[Phrases], texts: Words) -> None:
        self._commands: Mapping[str, type[Command]] = {command.__name__: command for command in commands}
        super().__init__(self._commands.values(), Command, phrases, texts, _OfferReader)
        self._phrases = phrases
        self._stateless = {language: phrases(None, language) for language in texts}
        self._asking = {
            named
            for sentences in self._by_language.values()
            for named, (_, sayings) in sentences.items()
            if any(said is _says for _, said in sayings)
        }
        self._kept: dict[tuple[int, Language], tuple[Offer, str]] = {}

    def tell(self, state: Any, offer: Offer, language: Language) -> str:
        """Describe what may be done in this state, by an offer that is not blocked."""
        kept = self._kept.get((id(offer), language))
        if kept is not None and kept[0] is offer:  # no other object can be it while it is cached
            return kept[1]
        kind = self._commands[offer.command]
        form = kind.form(offer)
        sayings = self.sayings(language, kind, form)
        values = tuple([value(offer) for value, _ in sayings])
        if (kind, form) in self._asking:
            return self.said(self._phrases(state, language), kind, form, values)
        told = self.said(self._stateless[language], kind, form, values)
        if len(self._kept) >= MOST:
            self._kept.clear()
        self._kept[id(offer), language] = offer, told
        return told
