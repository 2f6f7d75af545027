"""What sentences are put together from: names, sums, barrels, places, with the endings each language wants."""

from collections.abc import Sequence

from mcmulti.domain.core.site import Site
from mcmulti.domain.core.telling import LANGUAGES, Language, Words, word
from mcmulti.domain.oil.data import texts
from mcmulti.domain.oil.names import Good, Kind
from mcmulti.domain.oil.state import Oilfield

_WORDS: Words = texts(__package__, "words.toml")
_PLURALS: dict[Kind, str] = {"rig": "rigs", "well": "wells", "station": "stations", "refinery": "refineries"}
_TEMPLATES: Words = texts(__package__, "sentences.toml")


def words(own: Words) -> Words:
    """By language: the words of all rule sets, and a rule set's own."""
    return {language: {**_WORDS[language], **own[language]} for language in LANGUAGES}


def templates(own: Words) -> Words:
    """By language: the sentences of all rule sets and a rule set's own.

    Sentences are named by their events, and the phrases in them ``phrases.<name>``.
    """
    return {language: {**_TEMPLATES[language], **own[language]} for language in LANGUAGES}


class Phrases:
    """Phrases in one language, said at a moment of the game: players have the names they have there."""

    __slots__ = ("_language", "_names", "_quadrants", "_templates", "_words")

    def __init__(
        self, state: Oilfield | None, language: Language, words: Words, templates: Words, quadrants: Sequence[str]
    ) -> None:
        """`words` and `templates` are those of the rule set, `quadrants` the names of its quadrants."""
        self._language: Language = language
        self._words = words
        self._templates = templates[language]
        self._quadrants = quadrants
        self._names: Sequence[str | None] = () if state is None else state.names

    def fill(self, template: str, **phrases: object) -> str:
        """A sentence: the template with the phrases in it."""
        return self._templates[template].format(**phrases)

    def phrase(self, name: str, **parts: object) -> str:
        """A part of a sentence."""
        return self.fill(f"phrases.{name}", **parts)

    def word(self, name: str) -> str:
        """What people call something that has a name in the rules."""
        return word(self._words, self._language, name)

    def who(self, seat: int | None) -> str:
        """A player's name. Raises `LookupError` for a seat that nobody has, and for none."""
        name = None if seat is None else self._names[seat]
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

    def pieces(self, number: int, kind: Kind) -> str:
        """So many assets of a kind."""
        return f"{number} {self.word(kind if number == 1 else _PLURALS[kind])}"

    def up_to(self, number: int, good: Good) -> str:
        """At most so many barrels."""
        quantity = self.barrels(number, good)
        return quantity if number == 1 else self.phrase("up_to", quantity=quantity)

    def quadrant(self, quadrant: int) -> str:
        """A quadrant, by its compass name."""
        return self.word(self._quadrants[quadrant])

    def told(self, seat: int, what: str) -> str:
        """A player and what is told of it, for lists."""
        return self.phrase("told", who=self.who(seat), what=what)

    def site(self, site: Site) -> str:
        """A site on the board."""
        return self.phrase("site", row=site.row, column=site.column, quadrant=self.quadrant(site.quadrant))

    def listing(self, parts: Sequence[str], comma: str = ", ") -> str:
        """Several things, with a word before the last."""
        begun, last = parts[:-1], parts[-1]
        return self.phrase("and", begun=comma.join(begun), last=last) if begun else last
