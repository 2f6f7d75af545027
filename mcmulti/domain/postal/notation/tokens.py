"""The words, numbers, and signs of the notation of order sheets, and errors about those that do not fit."""

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple, NoReturn

from mcmulti.domain.core.capabilities.rounds import UnreadOrders
from mcmulti.domain.core.wording.data import texts
from mcmulti.domain.core.wording.telling import LANGUAGES, Language

LONGEST = 150_000
"""The most characters of a text: more than the longest sheet needs."""
MOST_TOKENS = 40_000
"""The most words, numbers, signs, and line breaks of a text: more than the longest sheet needs."""
_SHOWN = 20
"""The most characters of an unexpected token that are quoted in an error."""
_TEXTS = texts(__package__, "notation.toml")
_TOKEN = re.compile(
    r"""(?P<skip>[ \t\f\v\u00a0\u202f\ufeff]+|\#[^\r\n]*|\$|\.(?=\s|$)|the(?![a-z0-9_]))
    |(?P<break>\r\n?|\n)
    |(?P<number>[0-9]{1,3}(?:(?:,[0-9]{3})+|(?:\.[0-9]{3})+|)(?![.,]?[0-9])|[0-9]+(?![.,]?[0-9]))(?:m(?![a-z0-9_]))?
    |(?P<other>[0-9]+(?:[.,][0-9]+)+)
    |(?P<site>[a-f][1-6])(?![a-z0-9_])
    |(?P<name>["\u201c\u201e][^"\u201c-\u201e\r\n]*["\u201c\u201d])
    |(?P<word>[a-z][a-z_]*[0-9]*)
    |(?P<sign>['\u2019]s(?![a-z0-9_])|>=|<=|[\u2265\u2264=<>:;,()])""",
    re.ASCII | re.IGNORECASE | re.VERBOSE,
)
_SIGNS = {"\u2265": ">=", "\u2264": "<=", "\u2019s": "'s"}

Kind = Literal["break", "number", "site", "name", "word", "sign", "other", "end"]


class Number(NamedTuple):
    """An integer in a range is expected."""

    least: int
    most: int


Expected = str | Number
"""What can be expected somewhere: a word or a sign, in quotes; the name of a text; a number."""


class Lexeme(NamedTuple):
    """A word, a number, or a sign, in lower case, and its position, from 1. A break ends a line of text.

    A name has straight quotes around it, whichever were written.
    """

    kind: Kind
    text: str
    line: int
    column: int


def tokens(text: str) -> list[Lexeme]:
    """The words, numbers, and signs of a text, followed by an end token. Anything else is an `other`."""
    if len(text) > LONGEST:
        refuse(Lexeme("other", "", 1, 1), "too_long", most=LONGEST)
    found: list[Lexeme] = []
    line, begun, at = 1, 0, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        kind, part = (match.lastgroup, match.group(match.lastgroup or 0)) if match else ("other", text[at])
        if kind != "skip":
            if len(found) == MOST_TOKENS:
                refuse(Lexeme("other", "", line, at - begun + 1), "too_wordy", most=MOST_TOKENS)
            part = called(part[1:-1]) if kind == "name" else part.lower()
            part = part.replace(",", "").replace(".", "") if kind == "number" else part  # 1,200 and 1.200 are 1200
            found.append(Lexeme(kind, _SIGNS.get(part, part), line, at - begun + 1))  # type: ignore[arg-type]
        at = match.end() if match else at + 1
        if kind == "break":
            line, begun = line + 1, at
    return [*found, Lexeme("end", "", line, at - begun + 1)]


def called(name: str) -> str:
    """A player's name as a token: in quotes, so that it is never mistaken for another word."""
    return f'"{name.strip().lower()}"'


def refuse(token: Lexeme, code: str, **figures: object) -> NoReturn:
    """Report an error at a token, in every language. Raises `UnreadOrders`."""
    said = {
        language: _TEXTS[language][f"error.{code}"].format(line=token.line, column=token.column, **figures)
        for language in LANGUAGES
    }
    raise UnreadOrders(token.line, token.column, said)


def refuse_unexpected(token: Lexeme, expected: Iterable[Expected]) -> NoReturn:
    """Report what was expected at a token. Raises `UnreadOrders`."""
    wanted = tuple(dict.fromkeys(expected))
    said = {
        language: _TEXTS[language]["error.expected"].format(
            line=token.line, column=token.column, expected=_listed(wanted, language), found=_found(token, language)
        )
        for language in LANGUAGES
    }
    raise UnreadOrders(token.line, token.column, said)


def quoted(word: str) -> str:
    """A word or a sign, quoted as something that is expected."""
    return f"'{word}'"


def _listed(expected: tuple[Expected, ...], language: Language) -> str:
    said = [_said(each, language) for each in expected]
    begun, last = said[:-1], said[-1]
    return _TEXTS[language]["expected.or"].format(begun=", ".join(begun), last=last) if begun else last


def _said(expected: Expected, language: Language) -> str:
    if isinstance(expected, Number):
        return _TEXTS[language]["expected.number"].format(least=expected.least, most=expected.most)
    return expected if expected.startswith("'") else _TEXTS[language][f"expected.{expected}"]


def _found(token: Lexeme, language: Language) -> str:
    if token.kind in ("break", "end"):
        return _TEXTS[language][f"expected.{'line' if token.kind == 'break' else 'text'}_end"]
    shown = token.text if token.text.isprintable() else f"U+{ord(token.text):04X}"
    return quoted(shown if len(shown) <= _SHOWN else f"{shown[: _SHOWN - 1]}…")
