"""Which names players can have, and when two count as the same.

These promises are made here and nowhere else: a name is in one script, "highly restrictive" as defined by Unicode
Technical Standard 39 (section 5.2). Two names are the same if they differ only in case, form, accents, or punctuation,
or look alike by that standard's confusables (section 4): each character has a prototype that it can be mistaken for,
and names with the same sequence of prototypes have the same skeleton. Names of seats, house bots, and operators are
reserved.
"""

import re
from functools import cache
from unicodedata import category, normalize

_SPACES = re.compile(r"\s+")
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Printable for Python, but invisible by itself (Default_Ignorable_Code_Point)."""
_BLANK = re.compile("[\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\U00016fe4\U0001d159]")
"""A letter or a symbol for Python, but drawn blank: fillers, an empty cell of Braille, a note's head."""
_EMOJI = "\u2190-\u27ff\u2900-\u2bff\U0001f000-\U0001faff"
_JOINER = re.compile(f"(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])")
"""Joins two emoji into one and is invisible. It is allowed there and nowhere else."""
_ACCENTS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]")
"""Accents on Latin, Greek, and Cyrillic letters. Other scripts use such marks for vowels, which distinguish names."""
_ANY_SCRIPT = {"COMMON", "INHERITED"}
_TOGETHER = (
    {"LATIN", "HAN", "HIRAGANA", "KATAKANA"},
    {"LATIN", "HAN", "BOPOMOFO"},
    {"LATIN", "HAN", "HANGUL"},
)
"""Scripts that are written together."""
_KEPT = re.compile(r"(?:house|haus)bot.*|(?:seat|platz)[\dlo]+")
_KEPT_WHOLE = (
    *("mcmulti", "server", "system", "admin", "administrator", "moderator", "operator", "support", "referee"),
    *("schiedsrichter", "betreiber", "bank"),
)
_MARK = "\u200e"
"""The library keeps the marks that its source puts around right-to-left characters."""


def can_be_shown(name: str) -> bool:
    """Whether everything in a name is visible, or changes something visible: no blanks except spaces, no change of
    direction, and no accents without a base character.
    """
    return (
        _JOINER.sub("", name).isprintable()
        and not _BLANK.search(name)
        and any(category(character)[0] in "LNPS" for character in _UNSEEN.sub("", name))
    )


def of_one_script(name: str) -> bool:
    """Whether a name's letters are in one script, or in scripts that are written together."""
    from confusable_homoglyphs.categories import alias  # 1 MB that only servers need

    scripts = {alias(character) for character in normalize("NFKC", name)} - _ANY_SCRIPT
    return len(scripts) <= 1 or any(scripts <= together for together in _TOGETHER)


def is_reserved(name: str) -> bool:
    """Whether a name could pass for a seat, a house bot, or the operator of the server."""
    key = _unmistakable(name)
    return bool(_KEPT.fullmatch(key)) or key in _reserved()


@cache
def _reserved() -> frozenset[str]:
    return frozenset(map(_unmistakable, _KEPT_WHOLE))


def _unmistakable(name: str) -> str:
    """A name's key without spaces, where 1 also stands for i."""
    return name_key(name).replace(" ", "").replace("i", "l")


def name_key(name: str) -> str:
    """A key that is equal for names that differ, for example, only in case."""
    text = skeleton(normalize("NFKC", normalize("NFKC", name).casefold()))
    return _bare(skeleton(text.casefold()))  # a prototype may be a capital letter: O for 0


def name_words(key: str) -> list[str]:
    """The words of a name's key for searching, as in the index `player_by_words`."""
    return key[:200].split()


def name_skeleton(name: str) -> str:
    """A key that is equal for names that look alike as written.

    Case distinguishes some names, such as Ian and Lan, and makes others alike, such as Ian and lan: hence both keys.
    """
    return _bare(skeleton(normalize("NFKC", name)))


def _bare(text: str) -> str:
    """A skeleton without accents and punctuation, unless there is nothing else."""
    text = _ACCENTS.sub("", text) or text
    bare = "".join(character for character in text if category(character)[0] != "P")
    return skeleton(bare) or text


def skeleton(text: str) -> str:
    """The prototypes of a text's characters, without invisible ones; a skeleton is its own skeleton."""
    text = _SPACES.sub(" ", _UNSEEN.sub("", normalize("NFD", text)).strip())
    prototypes = _prototypes()
    while (found := normalize("NFD", "".join(prototypes.get(character, character) for character in text))) != text:
        text = found
    return text


@cache
def _prototypes() -> dict[str, str]:
    """For each character, what it can be mistaken for.

    The library lists look-alikes of each character: for most only the prototype, for a prototype all characters that
    have it. If two characters have only each other, either can be the prototype of both.
    """
    from confusable_homoglyphs.confusables import confusables_data  # 1 MB that only servers need

    like: dict[str, set[str]] = {}
    for one, others in confusables_data.items():
        like.setdefault(_decomposed(one), set()).update(_decomposed(other["c"]) for other in others)
    found = {}
    for character, alikes in like.items():
        if len(character) == 1 and len(alikes) == 1:
            (other,) = alikes
            alone = len(other) == 1 and len(like[other]) == 1
            found[character] = min(character, other) if alone else other
    found["\N{CYRILLIC SMALL LETTER PALOCHKA}"] = "l"  # like its capital letter, and as it is drawn
    return found


def _decomposed(text: str) -> str:
    return normalize("NFD", text.replace(_MARK, ""))
