"""The parts of sentences in every game: players, words, numbers, lists."""

from collections.abc import Sequence
from typing import Any, ClassVar

from mcmulti.domain.core.chance import Draw
from mcmulti.domain.core.figures import Count, PlayerId, Seat, Seats, Seconds
from mcmulti.domain.core.table import NOBODY, Called, Table
from mcmulti.domain.core.wording.data import texts
from mcmulti.domain.core.wording.telling import Language, Words, grouped, joined, seat_name, word

WORDS: Words = texts(__package__, "words.toml")
TEMPLATES: Words = texts(__package__, "sentences.toml")
"""Sentences are named by their events, and the phrases in them ``phrases.<name>``."""


class Phrases:
    """Phrases in one language, at one moment of the game: players have the names they have then.

    A game extends it by the `words.toml` and `sentences.toml` of its `room`, a package, and by `SAID`, which maps the
    type of an event's field to the method that formats it. Names from a list are words.
    """

    __slots__ = ("_called", "_players", "_templates", "language")

    WORDS: ClassVar[Words] = WORDS
    TEMPLATES: ClassVar[Words] = TEMPLATES

    SAID: ClassVar[tuple[tuple[Any, str], ...]] = (
        (Seat, "who"),
        (Seats, "everybody"),
        (PlayerId, "whoever"),
        (Count, "number"),
        (Seconds, "number"),
        (Draw, "die"),
    )

    def __init_subclass__(cls, room: str | None = None) -> None:
        if room is not None:
            cls.WORDS = joined(cls.WORDS, texts(room, "words.toml"))
            cls.TEMPLATES = joined(cls.TEMPLATES, texts(room, "sentences.toml"))

    def __init__(self, state: Table | None, language: Language) -> None:
        self.language: Language = language
        self._templates = self.TEMPLATES[language]
        self._players: Sequence[str | None] = () if state is None else state.player_ids
        self._called: Called = NOBODY if state is None else state.called

    def fill(self, template: str, **phrases: object) -> str:
        """A text of this name, with the phrases in it."""
        return self._templates[template].format(**phrases)

    def phrase(self, name: str, **parts: object) -> str:
        """A part of a sentence."""
        return self.fill(f"phrases.{name}", **parts)

    def word(self, name: str) -> str:
        """The displayed word for a name of the rules."""
        return word(self.WORDS, self.language, name)

    def who(self, seat: int | None) -> str:
        """The name of a seat's player, or of the seat if none is known. Raises `LookupError` if nobody sits there."""
        if seat is None:
            raise LookupError("there is no seat that is meant")
        player = self._players[seat]
        return seat_name(self.word, seat, None if player is None else self._called.get(player))

    def whoever(self, player: str) -> str:
        """The name of a player who may not be seated yet."""
        return self._called.get(player) or self.word("somebody")

    def everybody(self, seats: Sequence[int]) -> str:
        """Several players, in this order."""
        return self.listing([self.who(seat) for seat in seats])

    def text(self, text: str) -> str:
        """Text that a person wrote, unchanged."""
        return text

    def number(self, number: int) -> str:
        """A number in digits, with the separators of the language."""
        return grouped(number, self.language)

    def from_one(self, seat: int) -> str:
        """The number of a seat for people, who count from 1."""
        return str(seat + 1)

    def count(self, things: Sequence[object]) -> str:
        """How many there are."""
        return str(len(things))

    def players(self) -> str:
        """How many players there are."""
        return str(sum(player is not None for player in self._players))

    def die(self, draw: Draw) -> str:
        """The result of a die."""
        return str(draw.value)

    def told(self, seat: int, what: str) -> str:
        """A player with a statement about them, for lists."""
        return self.phrase("told" if self.plays(seat) else "told_left", who=self.who(seat), what=what)

    def plays(self, seat: int) -> bool:
        """Whether somebody plays a seat in a started game."""
        return self._players[seat] is not None

    def listing(self, parts: Sequence[str], comma: str = ", ") -> str:
        """Several things, with a word before the last."""
        begun, last = parts[:-1], parts[-1]
        return self.phrase("and", begun=comma.join(begun), last=last) if begun else last
