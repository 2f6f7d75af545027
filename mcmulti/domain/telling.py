"""What rule sets say to people, in their languages."""

from collections.abc import Mapping
from typing import Literal, get_args

Language = Literal["en", "de"]

LANGUAGES: tuple[Language, ...] = get_args(Language)

Words = Mapping[Language, Mapping[str, str]]
"""By language: the word for each name that stands in events, views and books, such as ``rapid_growth``."""


def word(words: Words, language: Language, name: str) -> str:
    """The word for a name; a name that has none is said as it is, with spaces."""
    return words[language].get(name) or name.replace("_", " ")
