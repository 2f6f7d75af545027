"""Entity tags (RFC 9110, 8.8.3): a position of a game, and its representation.

A tag begins with the number and the hash of the game's last event, which identify the position. The other parts are
what else the bytes depend on: ``"57-9c35…;csv;gzip"``.
"""

import re

from mcmulti.api.http.problems import ApiError
from mcmulti.events.log.envelope import Head

ANY = "*"
"""Replaces a list to match every tag."""
LONGEST = 4000
"""The most characters in a list of tags."""

_TAG = r'(?:W/)?("[!#-~\x80-\xff]*")'
_LIST = re.compile(rf"[ \t,]*{_TAG}(?:[ \t]*,[ \t,]*{_TAG})*[ \t,]*")
_TAGS = re.compile(_TAG)
_POSITION = re.compile(r'"(\d{1,10})-([0-9a-f]{64})(?:[;-].*)?"', re.ASCII)
_CODING = re.compile(r'[;-](?:gzip|br|zstd|deflate)"$')


def etag(head: Head, *parts: str) -> str:
    """The tag of a position, in the representation with these parts: lowercase letters, digits, and hyphens."""
    return f'"{";".join((f"{head.seq}-{head.hash.hex()}", *parts))}"'


def coded(tag: str, coding: str) -> str:
    """The tag of the same representation in a content coding."""
    return f'{tag[:-1]};{coding}"'


def uncoded(tag: str) -> str:
    """The tag of the same representation without a content coding; ``-gzip`` is what some compressing
    proxies append.
    """
    return _CODING.sub('"', tag)


def listed(name: str, text: str) -> tuple[str, ...]:
    """The tags in a header of this name, without the marks of weak ones, or only `ANY`.

    Raises a problem if it is not a list of tags.
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
    """The position in a tag, in whatever representation; None if it is not a tag of a game."""
    named = _POSITION.fullmatch(tag)
    return Head(int(named[1]), bytes.fromhex(named[2])) if named else None
