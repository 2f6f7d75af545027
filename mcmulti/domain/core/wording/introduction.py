"""What people read about a game before they choose it: its theme, the main options of a table, and the levels of the
server's bots. Each game and capability with such texts has an `introduction.toml` next to its code.
"""

from functools import cache
from typing import Any

from msgspec import Struct, convert

from mcmulti.domain.core.figures import Sentence
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
