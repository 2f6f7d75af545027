"""A reader of the words, numbers, and signs of a text in the notation of order sheets."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NoReturn, TypeVar

from mcmulti.domain.core.figures import MOST
from mcmulti.domain.postal.names import Plot
from mcmulti.domain.postal.notation.tokens import (
    Expected,
    Lexeme,
    Number,
    called,
    quoted,
    refuse,
    refuse_unexpected,
    tokens,
)
from mcmulti.domain.postal.notation.vocabulary import PLAYERS, ROWS

T = TypeVar("T")

_DEEPEST = 40
"""More than a sheet can have: deeper nesting is refused before it costs anything."""
_LETTERS = {letter.lower(): seat for seat, letter in enumerate(PLAYERS)}


class TokenReader:
    """Reads the tokens of a text. It collects what is expected at a position, to report it if nothing fits."""

    def __init__(self, text: str, seat: int | None, names: Sequence[str | None]) -> None:
        self._tokens = tokens(text)
        self._at = 0
        self._expected: list[Expected] = []
        self._depth = 0
        self._seat = seat
        self._players = _LETTERS | {called(name): seat for seat, name in enumerate(names) if name}

    @property
    def lexeme(self) -> Lexeme:
        """The current token."""
        return self._tokens[self._at]

    def next_is(self, text: str) -> bool:
        """Whether this word or sign comes after the current token."""
        return self._tokens[min(self._at + 1, len(self._tokens) - 1)].text == text

    def take(self) -> Lexeme:
        """Consume the current token."""
        taken = self.lexeme
        if taken.kind != "end":
            self._at += 1
        self._expected.clear()
        return taken

    def word(self, *words: str) -> str | None:
        """One of several words or signs, if it comes next."""
        if self.lexeme.kind in ("word", "sign") and self.lexeme.text in words:
            return self.take().text
        self._expected += map(quoted, words)
        return None

    def skip(self, *words: str) -> bool:
        """Consume an optional word or sign, which is not reported as expected."""
        is_here = self.lexeme.kind in ("word", "sign") and self.lexeme.text in words
        if is_here:
            self.take()
        return is_here

    def stands(self, *words: str) -> bool:
        """Whether one of these words comes next, without consuming it."""
        self._expected += map(quoted, words)
        return self.lexeme.text in words

    def meaning(self, words: Mapping[str, T]) -> tuple[T] | None:
        """The meaning of one of several words, if it comes next. Of each meaning, the first word is reported as
        expected.
        """
        if self.lexeme.kind == "word" and self.lexeme.text in words:
            return (words[self.take().text],)
        known = list(words.values())
        self._expected += (quoted(word) for at, word in enumerate(words) if words[word] not in known[:at])
        return None

    def must(self, *words: str) -> str:
        """One of several words or signs, which must come next."""
        return self.word(*words) or self.fail()

    def must_mean(self, words: Mapping[str, T]) -> T:
        """The meaning of one of several words, which must come next."""
        (meant,) = self.meaning(words) or self.fail()
        return meant

    def integer(self, least: int, most: int) -> int:
        """An integer in a range."""
        text = self.lexeme.text
        if self.lexeme.kind == "number" and len(text) <= len(str(MOST)) and least <= int(text) <= most:
            return int(self.take().text)
        return self.fail(Number(least, most))

    @property
    def is_player(self) -> bool:
        """Whether the letter of a player, or a name, comes next."""
        return self.lexeme.kind == "name" or self.lexeme.text in _LETTERS

    def fail_as(self, *expected: Expected) -> NoReturn:
        """Refuse the current token with this reason alone. Raises `UnreadOrders`."""
        refuse_unexpected(self.lexeme, expected)

    def fail(self, *expected: Expected) -> NoReturn:
        """Refuse the current token, since nothing expected fits. Raises `UnreadOrders`."""
        refuse_unexpected(self.lexeme, (*self._expected, *expected))

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """A nested level. Raises `UnreadOrders` if there are too many."""
        self._depth += 1
        if self._depth > _DEEPEST:
            refuse(self.lexeme, "too_deep")
        yield
        self._depth -= 1

    def plot(self) -> Plot:
        """A site, such as B3, or row 2, column 3."""
        if self.lexeme.kind == "site":
            text = self.take().text
            return Plot(ROWS.index(text[0].upper()) + 1, int(text[1]))
        if not self.skip("row"):
            self.fail("site")
        row = self.integer(1, 6)
        self.skip(",")
        self.must("column")
        return Plot(row, self.integer(1, 6))

    def player(self) -> int:
        """The letter of a player, or a known name; me, if the owner is known."""
        self.skip("player")
        if self._seat is not None and self.skip("me", "i"):
            return self._seat
        if self.lexeme.text not in self._players:
            self.fail_as("player")
        return self._players[self.take().text]
