"""Entity tags (RFC 9110, 8.8.3): what names a position of a game, and the representation of it that somebody got.

A tag is the number and the hash of the game's last event, which name the position. Behind them stands, part by part,
what else the bytes depend on: ``"57-9c35…;csv;gzip"``.
"""

import re

from mcmulti.api.http.problems import ApiError
from mcmulti.events.log.envelope import Head

ANY = "*"
"""Stands in a list's place for every tag there is."""
LONGEST = 4000
"""Characters of a list of tags."""

_TAG = r'(?:W/)?("[!#-~\x80-\xff]*")'
_LIST = re.compile(rf"[ \t,]*{_TAG}(?:[ \t]*,[ \t,]*{_TAG})*[ \t,]*")
_TAGS = re.compile(_TAG)
_POSITION = re.compile(r'"(\d{1,10})-([0-9a-f]{64})(?:[;-].*)?"', re.ASCII)
_CODING = re.compile(r'[;-](?:gzip|br|zstd|deflate)"$')


def etag(head: Head, *parts: str) -> str:
    """The tag of a position, in the representation that the parts name: lower case letters, digits and hyphens."""
    return f'"{";".join((f"{head.seq}-{head.hash.hex()}", *parts))}"'


def coded(tag: str, coding: str) -> str:
    """The tag of the same in a content coding."""
    return f'{tag[:-1]};{coding}"'


def uncoded(tag: str) -> str:
    """The tag of the same in no content coding; ``-gzip`` is what some proxies append that compress."""
    return _CODING.sub('"', tag)


def listed(name: str, text: str) -> tuple[str, ...]:
    """The tags that a header of this name lists, without the marks of weak ones, or `ANY` alone.

    Raises a problem for what is no list of tags.
    """
    if text.strip() == ANY:
        return (ANY,)
    if len(text) > LONGEST or not _LIST.fullmatch(text):
        raise ApiError(
            "invalid_header",
            f"{name} must be * or a list of entity tags that the server sent, at most {LONGEST} characters long.",
        )
    return tuple(_TAGS.findall(text))


def position(tag: str) -> Head | None:
    """The position that a tag names, in whatever representation; None if it is no tag of a game."""
    named = _POSITION.fullmatch(tag)
    return Head(int(named[1]), bytes.fromhex(named[2])) if named else None
