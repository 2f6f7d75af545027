"""Which names can be shown, and when two count as the same: they differ in case or form alone, or look alike.

What looks alike is told by the confusables of Unicode Technical Standard 39 (section 4): each character has a prototype
that it may be mistaken for, and names with the same prototypes in a row have the same skeleton.
"""

import re
from functools import cache
from unicodedata import category, normalize

_SPACES = re.compile(r"\s+")
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""What is printable to Python, and shows nothing by itself (Default_Ignorable_Code_Point)."""
_BLANK = re.compile("[\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\U00016fe4\U0001d159]")
"""What is a letter or a symbol to Python, and is drawn as nothing: fillers, an empty cell of Braille, a note's head."""
_EMOJI = "\u2190-\u27ff\u2900-\u2bff\U0001f000-\U0001faff"
_JOINER = re.compile(f"(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])")
"""Makes one emoji of two, and cannot be seen: it is printable there and nowhere else."""
_MARK = "\u200e"
"""The library keeps the marks that its source puts around characters that run from right to left."""


def can_be_shown(name: str) -> bool:
    """Whether all of a name can be seen, or changes what can be seen: it has no blanks but spaces, nothing that turns
    lines around, and something for accents to stand on."""
    return (
        _JOINER.sub("", name).isprintable()
        and not _BLANK.search(name)
        and any(category(character)[0] in "LNPS" for character in _UNSEEN.sub("", name))
    )


def name_key(name: str) -> str:
    """What two names have in common when they look alike once compatibility forms and case are set aside."""
    return skeleton(normalize("NFKC", normalize("NFKC", name).casefold()))


def name_words(key: str) -> list[str]:
    """The words of a name's key by which it is found, as the index `player_by_words` has them."""
    return key[:200].split()


def name_skeleton(name: str) -> str:
    """What two names have in common when they look alike as they are written.

    Case tells some apart, as Ian and Lan, and makes others alike, as Ian and lan: hence both keys.
    """
    return skeleton(normalize("NFKC", name))


def skeleton(text: str) -> str:
    """The prototypes of a text's characters, without what cannot be seen; the same for its own skeleton."""
    text = _SPACES.sub(" ", _UNSEEN.sub("", normalize("NFD", text)).strip())
    prototypes = _prototypes()
    while (found := normalize("NFD", "".join(prototypes.get(character, character) for character in text))) != text:
        text = found
    return text


@cache
def _prototypes() -> dict[str, str]:
    """By character, what it may be mistaken for.

    The library tells of each character which others it is like: of most its prototype alone, of a prototype all that
    have it. Where two have each other alone, either does as well for both.
    """
    from confusable_homoglyphs.confusables import confusables_data  # 1 MB that only servers need

    like: dict[str, set[str]] = {}
    for one, others in confusables_data.items():
        like.setdefault(_plain(one), set()).update(_plain(other["c"]) for other in others)
    found = {}
    for character, alikes in like.items():
        if len(character) == 1 and len(alikes) == 1:
            (other,) = alikes
            alone = len(other) == 1 and len(like[other]) == 1
            found[character] = min(character, other) if alone else other
    return found


def _plain(text: str) -> str:
    return normalize("NFD", text.replace(_MARK, ""))
