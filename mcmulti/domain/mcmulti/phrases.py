"""What sentences are put together from: names, sums, barrels, places, with the endings each language wants."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

import msgspec
from msgspec import Struct

from mcmulti.domain.mcmulti.components import COMPONENTS, Good, Kind, read
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.site import Site
from mcmulti.domain.telling import LANGUAGES, Language, Words, word

_PLURALS: dict[Kind, str] = {"rig": "rigs", "well": "wells", "station": "stations", "refinery": "refineries"}
_QUADRANTS: list[str] = COMPONENTS["board"]["quadrants"]


class _Text(Struct, frozen=True, forbid_unknown_fields=True):
    """The same in every language."""

    en: str
    de: str


def _texts(tables: dict[str, Any], path: str = "") -> Iterator[tuple[str, _Text]]:
    """The texts of nested tables, by their names joined with dots."""
    for name, table in tables.items():
        if any(isinstance(value, dict) for value in table.values()):
            yield from _texts(table, f"{path}{name}.")
        else:
            yield path + name, msgspec.convert(table, _Text)


def by_language(tables: dict[str, Any]) -> Words:
    """The texts of nested tables, by language and by their names joined with dots."""
    texts = dict(_texts(tables))
    return {language: {name: getattr(text, language) for name, text in texts.items()} for language in LANGUAGES}


WORDS: Words = by_language(read("words.toml"))

TEMPLATES: Words = by_language(read("sentences.toml"))
"""By language: the sentences, named by their events, and the phrases in them, named ``phrases.<name>``."""


class Phrases:
    """Phrases in one language, said at a moment of the game: players have the names they have there."""

    __slots__ = ("_language", "_names", "_owners", "_templates", "forced")

    def __init__(self, state: State | None, language: Language) -> None:
        self.forced = state is not None and state.phase == "news"
        """Whether what is sold is sold because news demands money."""
        self._language: Language = language
        self._templates = TEMPLATES[language]
        self._names: Sequence[str | None] = ()
        self._owners = () if state is None else state.owners
        if state is not None:
            self._names = [player.name for player in state.players] or [
                chair.name if chair else None for chair in state.chairs
            ]

    def fill(self, template: str, **phrases: object) -> str:
        """A sentence: the template with the phrases in it."""
        return self._templates[template].format(**phrases)

    def phrase(self, name: str, **parts: object) -> str:
        """A part of a sentence."""
        return self.fill(f"phrases.{name}", **parts)

    def word(self, name: str) -> str:
        """What people call something that has a name in the rules."""
        return word(WORDS, self._language, name)

    def who(self, seat: int | None) -> str:
        """A player's name, or the ghost inside a sentence. Raises `LookupError` for a seat that nobody has."""
        if seat is None:
            return self.phrase("ghost")
        name = self._names[seat]
        if name is None:
            raise LookupError(f"nobody sits on seat {seat}")
        return name

    def money(self, amount: int) -> str:
        """A sum in millions of dollars."""
        return self.phrase("money", amount=amount)

    def barrels(self, number: int, good: Good | None = None) -> str:
        """So many barrels, of a good if it is told."""
        name = "barrel" if number == 1 else "barrels"
        if good is None:
            return self.phrase(name, number=number)
        return self.phrase(f"{name}_of", number=number, good=self.word(good))

    def up_to(self, number: int, good: Good) -> str:
        """At most so many barrels."""
        quantity = self.barrels(number, good)
        return quantity if number == 1 else self.phrase("up_to", quantity=quantity)

    def pieces(self, number: int, kind: Kind) -> str:
        """So many assets of a kind."""
        return f"{number} {self.word(kind if number == 1 else _PLURALS[kind])}"

    def quadrant(self, quadrant: int) -> str:
        """A quadrant, by its compass name."""
        return self.word(_QUADRANTS[quadrant])

    def seated(self, seat: int | None, quadrant: int) -> str:
        """Somebody and a quadrant."""
        return self.phrase("seated", who=self.who(seat), quadrant=self.quadrant(quadrant))

    def told(self, seat: int, what: str) -> str:
        """A player and what is told of it, for lists."""
        return self.phrase("told", who=self.who(seat), what=what)

    def owned(self, quadrants: Iterable[int]) -> str:
        """Quadrants in order, each with its owner."""
        return self.listing([self.seated(self._owners[quadrant], quadrant) for quadrant in quadrants])

    def site(self, site: Site) -> str:
        """A site on the board."""
        return self.phrase("site", row=site.row, column=site.column, quadrant=self.quadrant(site.quadrant))

    def sites(self, sites: Iterable[Site]) -> str:
        """Several sites, those of a quadrant together."""
        groups = []
        for quadrant, members in groupby(sites, key=lambda site: site.quadrant):
            lines = self.listing([self.phrase("line", row=site.row, column=site.column) for site in members], "; ")
            groups.append(self.phrase("sites", lines=lines, quadrant=self.quadrant(quadrant)))
        return "; ".join(groups)

    def listing(self, parts: Sequence[str], comma: str = ", ") -> str:
        """Several things, with a word before the last."""
        begun, last = parts[:-1], parts[-1]
        return self.phrase("and", begun=comma.join(begun), last=last) if begun else last
