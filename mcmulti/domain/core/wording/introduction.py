"""What people read about a game before they choose it: its theme, the main options of a table, and the levels of the
server's bots. And what newcomers read: an example turn, and what a coach says at each question. Each game and
capability with such texts has an `introduction.toml`, `example.toml`, or `coach.toml` next to its code.
"""

from collections.abc import Collection
from functools import cache
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct, convert

from mcmulti.domain.core.figures import RuleId, Sentence
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.wording.data import read, there
from mcmulti.domain.core.wording.telling import LANGUAGES, Language

_FILE = "introduction.toml"
_CORE = __package__


class LevelText(Struct, frozen=True):
    """A level of bots. `called`: its displayed name. `plays`: how it plays, in a sentence."""

    called: Sentence
    plays: Sentence


class Introduction(Struct, frozen=True, kw_only=True):
    """A game in one language. `title`: the game and its edition. `about`: its theme, how many play, and how long.
    `asked`: the options that most tables want to choose. `levels`: those of house bots, by name; levels without texts
    are missing.
    """

    title: str
    about: str
    asked: tuple[str, ...]
    levels: dict[str, LevelText]


class _Texts(Struct, frozen=True, forbid_unknown_fields=True):
    """A file: texts by language."""

    title: dict[Language, Sentence] = {}
    about: dict[Language, Sentence] = {}
    asked: tuple[str, ...] = ()
    levels: dict[str, dict[str, dict[Language, Sentence]]] = {}


def introduction_of(ruleset: Ruleset[Any], language: Language) -> Introduction:
    """The introduction of a game. Without texts of its own, its title is used.

    Raises `ValueError` if a text is missing in a language.
    """
    found = [_read(room) for room in (_CORE, *ruleset.texts.rooms)]
    title = next((each.title[language] for each in reversed(found) if each.title), ruleset.title)
    about = next((each.about[language] for each in reversed(found) if each.about), title)
    levels = {name: texts for each in found for name, texts in each.levels.items() if name in ruleset.bots}
    return Introduction(
        title=title,
        about=about,
        asked=tuple(field for each in found for field in each.asked),
        levels={
            name: LevelText(*(texts[part][language] for part in LevelText.__struct_fields__))
            for name, texts in levels.items()
        },
    )


@cache
def _read(room: str) -> _Texts:
    found = convert(read(room, _FILE), _Texts) if there(room, _FILE) else _Texts()
    said = [found.title, found.about, *(text for level in found.levels.values() for text in level.values())]
    if missing := [text for text in said if text and set(text) != set(LANGUAGES)]:
        raise ValueError(f"{room}: {missing[0]} is not said in every language")
    return found


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
