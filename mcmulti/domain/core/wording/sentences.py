"""Sentences in every language, made ready when a rule set is imported, which fails there if one is missing.

A sentence is a template in each language, named by an event or a command, or by that and one of its forms:
``TollPaid.one``. In braces stands what is said as its type is said (`Phrases.SAID`), or by the method of the game's
phrases that stands behind a colon: ``{prices:total}``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter
from string import Formatter
from types import NoneType, UnionType
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from mcmulti.domain.core.event import Event
from mcmulti.domain.core.wording.data import texts
from mcmulti.domain.core.wording.phrases import Phrases
from mcmulti.domain.core.wording.telling import Language, Words, joined

K = TypeVar("K")
Saying = tuple[Callable[[Any], Any], Callable[[Any, Any], str]]
"""What takes a value out of what is told, and what says it in the phrases of the game."""


class Incomplete(TypeError):
    """A rule set lacks something that it must have, or has a text that belongs to nothing."""


class Reader(Generic[K]):
    """Reads the templates of what is told of one kind: an event, or the offer of a command."""

    def __init__(self, kind: type[K], phrases: type[Phrases]) -> None:
        self.kind, self.phrases = kind, phrases
        hints = get_type_hints(kind, include_extras=True)
        self.fields: Mapping[str, Any] = {name: hints[name] for name in kind.__struct_fields__}  # type: ignore[attr-defined]

    def sentence(self, template: str, named: str) -> "_Sentence":
        """A template made ready; `named` says which it is, for errors."""
        text, sayings = "", []
        for words, name, method, _ in Formatter().parse(template):
            text += words.replace("{", "{{").replace("}", "}}")
            if name is not None:
                text += "{}"
                sayings.append(self.saying(name, method or None, named))
        return _Sentence(text, tuple(sayings))

    def saying(self, name: str, method: str | None, named: str) -> Saying:
        """What stands in braces, with the method behind the colon; raises `Incomplete` if nothing says it."""
        raise NotImplementedError

    def said(self, name: str, hint: Any, method: str | None, named: str) -> Callable[[Any, Any], str]:
        """What says a value of this type: the method of the phrases for it, unless another one is named."""
        method = method or _method(hint, self.phrases)
        if method is None:
            raise Incomplete(f"{named}: nothing tells how {{{name}}} is said, a field of the {self.noun}")
        said: Callable[[Any, Any], str] | None = getattr(self.phrases, method, None)
        if said is None:
            raise Incomplete(f"{named}: the phrases of the game cannot say {{{name}:{method}}}")
        return said

    noun = ""
    """What the kind is a kind of."""


class _EventReader(Reader[Event]):
    """In braces stand fields of the event. What takes more than a field is a method of the event.

    It is given the phrases, and returns what to say.
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
    """A template with empty braces, and what fills them in order."""

    template: str
    sayings: tuple[Saying, ...]


class Templates(Generic[K]):
    """Sentences by kinds and their forms. Raises `Incomplete` where one is missing or left over.

    Of the texts, ``phrases.<name>`` are no sentences.
    """

    __slots__ = ("_by_language",)

    def __init__(
        self, kinds: Iterable[type[K]], base: type[K], phrases: type[Phrases], texts: Words, reader: type[Reader[K]]
    ) -> None:
        """`base`: the class of all kinds, whose method `form` says that there is one sentence only."""
        readers = {kind: reader(kind, phrases) for kind in kinds}
        names = {_named(kind, form): (kind, form) for kind in readers for form in _forms(kind, base)}
        self._by_language: dict[str, dict[tuple[type[K], str | None], _Sentence]] = {}
        for language, by_name in texts.items():
            sentences = without_phrases(by_name)
            complete(names, sentences, reader.noun, language)
            self._by_language[language] = {
                names[name]: readers[names[name][0]].sentence(text, f"the sentence {name} in {language!r}")
                for name, text in sentences.items()
            }

    def sayings(self, language: Language, kind: type[K], form: str | None) -> tuple[Saying, ...]:
        """What fills the sentence of this kind and form."""
        return self._by_language[language][kind, form].sayings

    def said(self, say: Phrases, kind: type[K], form: str | None, values: Iterable[Any]) -> str:
        """The sentence of this kind and form, with these values in it."""
        template, sayings = self._by_language[say.language][kind, form]
        return template.format(*[said(say, value) for value, (_, said) in zip(values, sayings, strict=True)])


class Sentences(Templates[Event]):
    """What the events of a rule set say to people, those of capabilities in the words of these `rooms`, packages.

    Raises `Incomplete` where something is missing or left over.
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
        """What happened, in a sentence; `before` is the state before the event, None before the first.

        Raises `LookupError` for what cannot have happened then, such as the move of a seat that nobody has.
        """
        say = self._phrases(before, language)
        template, sayings = self._by_language[language][type(event), event.form(say)]
        return template.format(*[said(say, value(event)) for value, said in sayings])


def without_phrases(texts: Mapping[str, str]) -> dict[str, str]:
    """The texts that are sentences: not ``phrases.<name>``."""
    return {name: text for name, text in texts.items() if not name.startswith("phrases.")}


def complete(names: Iterable[str], texts: Iterable[str], noun: str, language: str) -> None:
    """Raises `Incomplete`, which names them, unless there is one text in the language for each name."""
    if missing := set(names) - set(texts):
        raise Incomplete(f"there is no sentence {_listed(missing)} in {language!r}")
    if left_over := set(texts) - set(names):
        raise Incomplete(f"there is no {noun} for the sentence {_listed(left_over)} in {language!r}")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def _named(kind: type[Any], form: str | None) -> str:
    return kind.__name__ if form is None else f"{kind.__name__}.{form}"


def _forms(kind: Any, base: Any) -> Iterator[str | None]:
    """The forms that there are, as the method that chooses among them says; None for a sentence without one."""
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
    """The name of the method that says a value of this type, which may be None besides; None if none does."""
    if get_origin(hint) in (Union, UnionType):
        hints = [part for part in get_args(hint) if part is not NoneType]
        return _method(hints[0], phrases) if len(hints) == 1 else None
    for kind, method in phrases.SAID:
        if kind == hint:
            return method
    if get_origin(hint) is Annotated:
        return _method(get_args(hint)[0], phrases)
    return "word" if get_origin(hint) is Literal else None
