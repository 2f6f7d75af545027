"""Sentences in every language, compiled when a rule set is imported. The import fails if one is missing.

A sentence is a template in each language, named by an event or a command, or by that and one of its forms:
``TollPaid.one``. A name in braces is formatted by its type (`Phrases.SAID`), or by the method of the game's phrases
that follows a colon: ``{prices:total}``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from inspect import signature
from operator import attrgetter
from string import Formatter
from types import NoneType, UnionType
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Money
from mcmulti.domain.core.offers import Offer
from mcmulti.domain.core.wording.data import texts
from mcmulti.domain.core.wording.phrases import Phrases
from mcmulti.domain.core.wording.telling import Language, Words, joined

K = TypeVar("K")
Saying = tuple[Callable[[Any], Any], Callable[[Any, Any], str]]
"""Extracts a value, and formats it with the phrases of the game."""


class Incomplete(TypeError):
    """A rule set lacks something that it must have, or has an unused text."""


class Reader(Generic[K]):
    """Compiles the templates of one kind: an event, or the offer of a command."""

    def __init__(self, kind: type[K], phrases: type[Phrases]) -> None:
        self.kind, self.phrases = kind, phrases
        hints = get_type_hints(kind, include_extras=True)
        self.fields: Mapping[str, Any] = {name: hints[name] for name in kind.__struct_fields__}  # type: ignore[attr-defined]

    def sentence(self, template: str, named: str) -> "_Sentence":
        """Compile a template; `named` identifies it in errors."""
        text, sayings = "", []
        for words, name, method, _ in Formatter().parse(template):
            text += words.replace("{", "{{").replace("}", "}}")
            if name is not None:
                text += "{}"
                sayings.append(self.saying(name, method or None, named))
        return _Sentence(text, tuple(sayings))

    def saying(self, name: str, method: str | None, named: str) -> Saying:
        """The formatter of a name in braces, with the method after the colon. Raises `Incomplete` if there is none."""
        raise NotImplementedError

    def said(self, name: str, hint: Any, method: str | None, named: str) -> Callable[[Any, Any], str]:
        """The formatter of a value of this type: the method of the phrases for it, unless another one is named."""
        method = method or _method(hint, self.phrases)
        if method is None:
            raise Incomplete(f"{named}: nothing tells how {{{name}}} is said, a field of the {self.noun}")
        said: Callable[[Any, Any], str] | None = getattr(self.phrases, method, None)
        if said is None:
            raise Incomplete(f"{named}: the phrases of the game cannot say {{{name}:{method}}}")
        return said

    noun = ""
    """The noun for the kind, in errors."""


class _EventReader(Reader[Event]):
    """Names in braces are fields of the event. Anything that combines fields is a method of the event.

    The method receives the phrases, and returns the text.
    """

    noun = "event"

    def saying(self, name: str, method: str | None, named: str) -> Saying:
        if name in self.fields:
            return attrgetter(name), self.said(name, self.fields[name], method, named)
        if method is not None or not hasattr(self.kind, name) or hasattr(Event, name):
            raise Incomplete(f"{named}: the event has neither a field nor a method for {{{name}}}")
        return attrgetter(name), _says


def _says(say: Phrases, method: Callable[[Phrases], str]) -> str:
    return method(say)


class _Sentence(NamedTuple):
    """A template with empty braces, and the formatters that fill them in order."""

    template: str
    sayings: tuple[Saying, ...]


class Templates(Generic[K]):
    """Sentences by kinds and their forms. Raises `Incomplete` if one is missing or unused.

    Texts named ``phrases.<name>`` are not sentences.
    """

    __slots__ = ("_by_language",)

    def __init__(
        self, kinds: Iterable[type[K]], base: type[K], phrases: type[Phrases], texts: Words, reader: type[Reader[K]]
    ) -> None:
        """`base`: the class of all kinds, whose method `form` says that there is only one sentence."""
        readers = {kind: reader(kind, phrases) for kind in kinds}
        names = {_sentence_key(kind, form): (kind, form) for kind in readers for form in _forms(kind, base)}
        self._by_language: dict[str, dict[tuple[type[K], str | None], _Sentence]] = {}
        for language, by_name in texts.items():
            sentences = without_phrases(by_name)
            complete(names, sentences, reader.noun, language)
            self._by_language[language] = {
                names[name]: readers[names[name][0]].sentence(text, f"the sentence {name} in {language!r}")
                for name, text in sentences.items()
            }

    def sayings(self, language: Language, kind: type[K], form: str | None) -> tuple[Saying, ...]:
        """The formatters of the sentence of this kind and form."""
        return self._by_language[language][kind, form].sayings

    def said(self, say: Phrases, kind: type[K], form: str | None, values: Iterable[Any]) -> str:
        """The sentence of this kind and form, filled with these values."""
        template, sayings = self._by_language[say.language][kind, form]
        return template.format(*[said(say, value) for value, (_, said) in zip(values, sayings, strict=True)])


class Sentences(Templates[Event]):
    """Sentences for the events of a rule set. Those of capabilities come from these `rooms`, packages.

    Raises `Incomplete` if something is missing or unused.
    """

    __slots__ = ("_phrases",)

    def __init__(self, events: Iterable[type[Event]], phrases: type[Phrases], rooms: Iterable[str] = ()) -> None:
        kinds = tuple(events)
        for kind in kinds:
            if kind.evolve is Event.evolve:
                raise Incomplete(f"{kind.__name__} has no evolve: it must say what it does to the state")
        templates = joined(*(texts(room, "sentences.toml") for room in rooms), phrases.TEMPLATES)
        super().__init__(kinds, Event, phrases, templates, _EventReader)
        self._phrases = phrases

    def tell(self, before: Any, event: Event, language: Language) -> str:
        """Describe an event in a sentence; `before` is the state before the event, None before the first.

        Raises `LookupError` for something that cannot have happened then, such as the move of a nonexistent seat.
        """
        say = self._phrases(before, language)
        template, sayings = self._by_language[language][type(event), event.form(say)]
        return template.format(*[said(say, value(event)) for value, said in sayings])


def without_phrases(texts: Mapping[str, str]) -> dict[str, str]:
    """The texts that are sentences, without ``phrases.<name>``."""
    return {name: text for name, text in texts.items() if not name.startswith("phrases.")}


def complete(names: Iterable[str], texts: Iterable[str], noun: str, language: str) -> None:
    """Raises `Incomplete`, listing them, unless there is one text in the language for each name."""
    if missing := set(names) - set(texts):
        raise Incomplete(f"sentences missing in {language!r}: {_name_list(missing)}")
    if left_over := set(texts) - set(names):
        raise Incomplete(f"sentences for unknown {noun}s in {language!r}: {_name_list(left_over)}")


def _name_list(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def _sentence_key(kind: type[Any], form: str | None) -> str:
    return kind.__name__ if form is None else f"{kind.__name__}.{form}"


def _forms(kind: Any, base: Any) -> Iterator[str | None]:
    """The possible forms, from the method that chooses among them; None for a sentence without forms."""
    if kind.form is base.form:
        yield None
        return
    returned = get_type_hints(kind.form)["return"]
    for part in get_args(returned) if get_origin(returned) in (Union, UnionType) else (returned,):
        if part is NoneType:
            yield None
        elif get_origin(part) is Literal:
            yield from get_args(part)
        else:
            raise Incomplete(f"{kind.__name__}.form must return a Literal that lists the forms")


def _method(hint: Any, phrases: type[Phrases]) -> str | None:
    """The name of the method that formats a value of this type, which may also be None; None if there is none."""
    if get_origin(hint) in (Union, UnionType):
        hints = [part for part in get_args(hint) if part is not NoneType]
        return _method(hints[0], phrases) if len(hints) == 1 else None
    for kind, method in phrases.SAID:
        if kind == hint:
            return method
    if get_origin(hint) is Annotated:
        return _method(get_args(hint)[0], phrases)
    return "word" if get_origin(hint) is Literal else None


MOST = 16_384
"""The most sentences in the cache."""


class _OfferReader(Reader[Command]):
    """Sentences about offers are named by the command, and filled from the offer.

    Braces contain one of these: ``{price}``, what the offer costs or earns; a field of the command, which stands for
    its only possible value, or the greatest of several; another property of the offer's field, such as
    ``{quantity.prices:spread}``; a phrase made of the whole offer, such as ``{offer:paid}``; or something that the
    phrases of the game know of its state, such as ``{players}``.
    """

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
