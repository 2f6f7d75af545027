"""Words and numbers of rule sets, in their languages."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, get_args

Language = Literal["en", "de"]

LANGUAGES: tuple[Language, ...] = get_args(Language)

Words = Mapping[Language, Mapping[str, str]]
"""By language, the word for each name in events, views, and books, such as ``rapid_growth``."""


def joined(*rooms: Words) -> Words:
    """The texts of several rooms, by language. If two have the same name, the later counts."""
    return {language: {name: text for room in rooms for name, text in room[language].items()} for language in LANGUAGES}


def word(words: Words, language: Language, name: str) -> str:
    """The word for a name. A name without a word is used itself, with spaces."""
    return words[language].get(name) or name.replace("_", " ")


def cash_word(words: Words, language: Language, money: str) -> str:
    """The word for the money of a player, which is the unit `money` of the books."""
    return words[language].get("cash") or word(words, language, money)


def seat_name(said: Callable[[str], str], seat: int, name: str | None) -> str:
    """The displayed name of a seat's player, or the number of the seat if no name is known.

    For people, seats count from 1; in data, they count from 0.

    `said`: the words of the game in a language.
    """
    return name or said("seat_number").format(seat + 1)


def account(words: Words, language: Language, names: Sequence[str], account: str) -> str:
    """The displayed name of an account: ``seat:0:cash`` is "Ada: cash", ``market:home:grain`` "home market: grain".

    `names` are the players' names by seat. The first part is only the kind of account. It is left out if others follow,
    unless they are a number: ``fountain:16`` is "fountain 16". Raises `LookupError` for a seat that has no name.
    """
    kind, *parts = account.split(":")
    if not parts:
        return word(words, language, kind)
    said = [word(words, language, part) for part in parts]
    if kind == "seat":
        said[0] = names[int(parts[0])]
    elif parts[0].isdecimal():
        said[0] = f"{word(words, language, kind)} {parts[0]}"
    return ": ".join(said)


def grouped(number: int, language: Language) -> str:
    """A number in digits, in groups of three."""
    return f"{number:,}" if language == "en" else f"{number:,}".translate(_EXCHANGED)


def with_point(number: str, language: Language) -> str:
    """A number in digits, with group and decimal separators of the language, such as ``1,234.5``."""
    return number if language == "en" else number.translate(_EXCHANGED)


_EXCHANGED = str.maketrans(",.", ".,")
