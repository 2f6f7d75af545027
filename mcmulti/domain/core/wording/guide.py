"""What newcomers read about a game: an example turn, and what a coach says at each question. Each game with such texts
has an `example.toml` and a `coach.toml` next to its code.
"""

from collections.abc import Collection
from functools import cache
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct, convert

from mcmulti.domain.core.figures import RuleId, Sentence
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.wording.data import read, there
from mcmulti.domain.core.wording.telling import Language

_COACH, _EXAMPLE = "coach.toml", "example.toml"
_SAID = ("title", "asks", "why", "consider")
T = TypeVar("T")


class Lesson(Struct, frozen=True, kw_only=True):
    """What a coach says at a question. `when`: the lesson belongs to questions with one of these commands among their
    offers. `asks`: what the game asks. `why`: why it matters. `consider`: what a good player thinks about.
    """

    name: Annotated[str, Meta(pattern="^[a-z]+(-[a-z]+)*$", max_length=40)]
    when: tuple[str, ...]
    title: Sentence
    asks: Sentence
    why: Sentence
    consider: Sentence
    rules: tuple[RuleId, ...]


class ExampleStep(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of an example turn. `text`: what happens, by language. `moves`: the commands, as JSON. `draws`: the dice
    and cards that they ask for, as numbers from 1.
    """

    text: dict[Language, Sentence]
    moves: tuple[str, ...]
    draws: tuple[int, ...] = ()


class Example(Struct, frozen=True, forbid_unknown_fields=True):
    """A turn as an example. `position`: the document of the position before it, as JSON."""

    position: str
    steps: tuple[ExampleStep, ...]


class _Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    when: tuple[str, ...]
    rules: tuple[RuleId, ...]
    title: dict[Language, Sentence]
    asks: dict[Language, Sentence]
    why: dict[Language, Sentence]
    consider: dict[Language, Sentence]


class _Coach(Struct, frozen=True, forbid_unknown_fields=True):
    """A file: lessons in every language."""

    lessons: tuple[_Lesson, ...]


def lessons_of(ruleset: Ruleset[Any], language: Language) -> tuple[Lesson, ...]:
    """What a coach says in a game; nothing for games without a coach.

    Raises `KeyError` if a text is missing in the language, and `ValueError` if a lesson names a rule or command that
    the game does not have.
    """
    found = _in_room(ruleset, _COACH, _Coach)
    if found is None:
        return ()
    _refuse(ruleset, "rule", {rule for each in found.lessons for rule in each.rules}, ruleset.texts.rules[language])
    offered = {command.__name__ for command in ruleset.commands.moves}
    _refuse(ruleset, "command", {command for each in found.lessons for command in each.when}, offered)
    return tuple(
        Lesson(
            name=each.name,
            when=each.when,
            rules=each.rules,
            **{part: getattr(each, part)[language] for part in _SAID},
        )
        for each in found.lessons
    )


def example_of(ruleset: Ruleset[Any]) -> Example | None:
    """The example turn of a game; None for games without one."""
    return _in_room(ruleset, _EXAMPLE, Example)


@cache
def _in_room(ruleset: Ruleset[Any], name: str, kind: type[T]) -> T | None:
    """The content of a file that a game may have next to its code."""
    room = ruleset.texts.rooms[-1]
    return convert(read(room, name), kind) if there(room, name) else None


def _refuse(ruleset: Ruleset[Any], what: str, named: set[str], known: Collection[str]) -> None:
    if unknown := sorted(named.difference(known)):
        raise ValueError(f"the coach of {ruleset.name} names {what}s that it does not have: {', '.join(unknown)}")
