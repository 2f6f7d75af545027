"""What can be said: plain texts, and quick replies in every language."""

import re
from typing import Annotated
from unicodedata import category

from msgspec import Meta, Struct

from mcmulti.api.http.problems import ApiError
from mcmulti.domain.core.wording.data import texts
from mcmulti.domain.core.wording.telling import Language
from mcmulti.events.store.names import can_be_shown

LONGEST = 200
"""The most characters of a message."""
MARKS = 3
"""The most combining marks on one character: more of them cover the lines around."""

QuickReplyId = Annotated[
    str, Meta(max_length=40, pattern="^[a-z]+(_[a-z]+)*$", description="The id of a quick reply, such as `good_game`.")
]
QuickReplyText = Annotated[str, Meta(min_length=1, pattern=r"\S")]

_TEXTS = texts(__package__, "quick_replies.toml")
_LETTER = "[\u0620-\u07ff\u0840-\u08ff\u0900-\u0dff\u1780-\u17ff]"
_NON_JOINER = re.compile(f"(?<={_LETTER})\u200c(?={_LETTER})")
"""Keeps two letters of a word apart, as Persian and the languages of India need. Elsewhere it is invisible."""
# Variation selectors after anything can carry hidden data; the two for emoji and texts are used everywhere.
_HIDDEN = re.compile("[\ufe00-\ufe0d\U000e0100-\U000e01ef]")


class QuickReply(Struct, frozen=True):
    """A ready-made message: its `id`, and its `text` in the requested language."""

    id: QuickReplyId
    text: QuickReplyText


def quick_replies(language: Language) -> tuple[QuickReply, ...]:
    """All quick replies in a language."""
    return tuple(QuickReply(*each) for each in _TEXTS[language].items())


def known_reply(reply: str) -> str:
    """The id of a quick reply. Raises a problem if there is none."""
    if reply not in _TEXTS["en"]:
        raise ApiError("unknown_quick_reply", f"There is no quick reply {reply!r}. Known: {', '.join(_TEXTS['en'])}.")
    return reply


def plain_text(text: str) -> str:
    """A text as it is stored, without spaces around it.

    Raises a problem for one that cannot be displayed, changes the direction of what follows, or hides something: line
    breaks, control characters, invisible characters, piles of accents.
    """
    bare = text.strip(" ")
    if not can_be_shown(_NON_JOINER.sub("", bare)) or _HIDDEN.search(bare) or _most_marks(bare) > MARKS:
        raise ApiError(
            "unprintable_text",
            "text: contains unprintable characters, such as line breaks, changes of direction, or invisible ones.",
            field="text",
        )
    return bare


def _most_marks(text: str) -> int:
    """The most combining marks in a row."""
    most = row = 0
    for character in text:
        row = row + 1 if category(character) in ("Mn", "Me") else 0
        most = max(most, row)
    return most
