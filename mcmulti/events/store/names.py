"""Which names players may have, and when two count as the same.

What is promised, here and nowhere else: a name is of one script, as "highly restrictive" of Unicode Technical Standard
39 (section 5.2) has it. Two names are the same if they differ in case, form, accents or punctuation only, or look
alike by that standard's confusables (section 4): each character has a prototype that it may be mistaken for, and names
with the same prototypes in a row have the same skeleton. Names by which seats, house bots and operators are known are
nobody's.
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
_ACCENTS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]")
"""What stands on Latin, Greek and Cyrillic letters. Other scripts write vowels so, which tell names apart."""
_ANY_SCRIPT = {"COMMON", "INHERITED"}
_TOGETHER = (
    {"LATIN", "HAN", "HIRAGANA", "KATAKANA"},
    {"LATIN", "HAN", "BOPOMOFO"},
    {"LATIN", "HAN", "HANGUL"},
)
"""Scripts that are written together."""
_KEPT = re.compile(r"housebot.*|(?:seat|platz)[\dlo]+")
_KEPT_WHOLE = (
    *("mcmulti", "server", "system", "admin", "administrator", "moderator", "operator", "support", "referee"),
    *("schiedsrichter", "betreiber", "bank"),
)
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


def of_one_script(name: str) -> bool:
    """Whether a name's letters are of one script, or of such as are written together."""
    from confusable_homoglyphs.categories import alias  # 1 MB that only servers need

    scripts = {alias(character) for character in normalize("NFKC", name)} - _ANY_SCRIPT
    return len(scripts) <= 1 or any(scripts <= together for together in _TOGETHER)


def is_reserved(name: str) -> bool:
    """Whether a name would pass for a seat, a house bot, or whoever runs the server."""
    key = _unmistakable(name)
    return bool(_KEPT.fullmatch(key)) or key in _reserved()


@cache
def _reserved() -> frozenset[str]:
    return frozenset(map(_unmistakable, _KEPT_WHOLE))


def _unmistakable(name: str) -> str:
    """A name's key without spaces, where 1 is also as good as i."""
    return name_key(name).replace(" ", "").replace("i", "l")


def name_key(name: str) -> str:
    """What two names have in common that are the same once case is set aside, among other things."""
    text = skeleton(normalize("NFKC", normalize("NFKC", name).casefold()))
    return _bare(skeleton(text.casefold()))  # a prototype may be a capital letter: O for 0


def name_words(key: str) -> list[str]:
    """The words of a name's key by which it is found, as the index `player_by_words` has them."""
    return key[:200].split()


def name_skeleton(name: str) -> str:
    """What two names have in common that look alike as they are written.

    Case tells some apart, as Ian and Lan, and makes others alike, as Ian and lan: hence both keys.
    """
    return _bare(skeleton(normalize("NFKC", name)))


def _bare(text: str) -> str:
    """A skeleton without accents and punctuation; with it, if there is nothing else."""
    text = _ACCENTS.sub("", text) or text
    bare = "".join(character for character in text if category(character)[0] != "P")
    return skeleton(bare) or text


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
    found["\N{CYRILLIC SMALL LETTER PALOCHKA}"] = "l"  # as its capital letter, and as it is drawn
    return found


def _plain(text: str) -> str:
    return normalize("NFD", text.replace(_MARK, ""))
