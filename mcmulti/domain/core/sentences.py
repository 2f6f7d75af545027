"""The sentences of events, made ready when a rule set is imported, which fails there if one is missing.

A sentence is a template in each language, named by its event, or by its event and one of its forms:
``TollPaid.one``. In braces stand the names of fields, each said as its type is said (`Phrases.SAID`), or by the
method of the game's phrases that stands behind a colon: ``{prices:total}``. What takes more than a field is a method of
the event that is given the phrases and returns what to say.
"""

from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from string import Formatter
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from mcmulti.domain.core.event import Event
from mcmulti.domain.core.phrases import Phrases

Saying = tuple[Callable[[Any], Any], Callable[[Any, Any], str]]
"""What takes a value out of an event, and what says it in the phrases of the game."""


class IncompleteEvent(TypeError):
    """An event lacks something that an event must have, or a text belongs to none."""


class _Sentence(NamedTuple):
    """A template with empty braces, and what fills them in order."""

    template: str
    sayings: tuple[Saying, ...]


class Sentences:
    """What the events of a rule set say to people. Raises `IncompleteEvent` where something is missing or left over.

    `phrases` is the class that makes the phrases of the game. Of its templates, ``phrases.<name>`` are not events'.
    """

    __slots__ = ("_by_language",)

    def __init__(self, events: Iterable[type[Event]], phrases: type[Phrases]) -> None:
        kinds = {kind.__name__: kind for kind in events}
        for kind in kinds.values():
            if kind.evolve is Event.evolve:
                raise IncompleteEvent(f"{kind.__name__} has no evolve: it must say what it does to the state")
        names = {_named(kind, form): (kind, form) for kind in kinds.values() for form in _forms(kind)}
        readers = {kind: _Reader(kind, phrases) for kind in kinds.values()}
        self._by_language: dict[str, dict[tuple[type[Event], str | None], _Sentence]] = {}
        for language, texts in phrases.TEMPLATES.items():
            sentences = {name: text for name, text in texts.items() if not name.startswith("phrases.")}
            if missing := names.keys() - sentences.keys():
                raise IncompleteEvent(f"there is no sentence {_listed(missing)} in {language!r}")
            if left_over := sentences.keys() - names.keys():
                raise IncompleteEvent(f"there is no event for the sentence {_listed(left_over)} in {language!r}")
            self._by_language[language] = {
                names[name]: readers[names[name][0]].sentence(text, f"the sentence {name} in {language!r}")
                for name, text in sentences.items()
            }

    def tell(self, event: Event, say: Phrases) -> str:
        """What happened. Raises `LookupError` for what cannot have happened then, as phrases do."""
        template, sayings = self._by_language[say.language][type(event), event.form(say)]
        return template.format(*[said(say, value(event)) for value, said in sayings])


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def _named(kind: type[Event], form: str | None) -> str:
    return kind.__name__ if form is None else f"{kind.__name__}.{form}"


def _forms(kind: type[Event]) -> Iterator[str | None]:
    """The forms an event can have, as the method that chooses among them says; None for a sentence without one."""
    if kind.form is Event.form:
        yield None
        return
    returned = get_type_hints(kind.form)["return"]
    for part in get_args(returned) if get_origin(returned) in (Union, UnionType) else (returned,):
        if part is NoneType:
            yield None
        elif get_origin(part) is Literal:
            yield from get_args(part)
        else:
            raise IncompleteEvent(f"{kind.__name__}.form must return a Literal that lists the forms")


class _Reader:
    """Reads the templates of an event of this class."""

    def __init__(self, kind: type[Event], phrases: type[Phrases]) -> None:
        self._kind, self._phrases = kind, phrases
        hints = get_type_hints(kind, include_extras=True)
        self._fields = {name: hints[name] for name in kind.__struct_fields__}

    def sentence(self, template: str, named: str) -> _Sentence:
        """A template made ready; `named` says which it is, for errors."""
        text, sayings = "", []
        for words, name, method, _ in Formatter().parse(template):
            text += words.replace("{", "{{").replace("}", "}}")
            if name is not None:
                text += "{}"
                sayings.append(self._saying(name, method or None, named))
        return _Sentence(text, tuple(sayings))

    def _saying(self, name: str, method: str | None, named: str) -> Saying:
        if name in self._fields:
            method = method or _method(self._fields[name], self._phrases)
            if method is None:
                raise IncompleteEvent(f"{named}: nothing tells how {{{name}}} is said, a field of the event")
            said = getattr(self._phrases, method, None)
            if said is None:
                raise IncompleteEvent(f"{named}: the phrases of the game cannot say {{{name}:{method}}}")
            return attrgetter(name), said
        if method is not None or not hasattr(self._kind, name) or hasattr(Event, name):
            raise IncompleteEvent(f"{named}: the event has neither a field nor a method for {{{name}}}")
        return attrgetter(name), _says


def _says(say: Phrases, method: Callable[[Phrases], str]) -> str:
    return method(say)


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
