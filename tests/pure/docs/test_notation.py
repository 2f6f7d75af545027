"""The notation of order sheets, as docs/reference/order-notation.md explains it."""

import re
from random import Random

import pytest

from mcmulti.domain.core.capabilities.rounds import UnreadOrders
from mcmulti.domain.postal.notation.reading import read_sheet
from mcmulti.domain.postal.notation.writing import sheet_text
from mcmulti.domain.postal.sheets.sheet import OrderSheet
from tests.docs.manual import page
from tests.pure.docs.grammar import rules, text, words

GUIDE = page("reference/order-notation")
SNIPPETS = re.findall(r"^```orders\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
[GRAMMAR] = re.findall(r"^```ebnf\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)


def same(one: str, other: str, frame: str = "{}") -> bool:
    """Whether two texts mean the same. `frame`: the text around them."""
    read = [read_sheet(frame.format(each), 0, ("Ada", "Ben")).sheet for each in (one, other)]
    return bool(read[0] == read[1])


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_a_snippet_is_a_sheet(snippet: str) -> None:
    assert read_sheet(snippet).sheet != OrderSheet()


def test_there_are_snippets() -> None:
    assert len(SNIPPETS) == 2


def test_what_follows_from_the_grammar_is_a_sheet_and_is_written_back_in_its_words() -> None:
    """Except for an `else` on a line of its own that could belong to two: the guide says that this is refused."""
    found = rules(GRAMMAR)
    known = words(GRAMMAR) | {"all", "any"}
    read = 0
    for seed in range(120):
        text_of_seed = text(found, Random(seed), found["sheet"])
        try:
            sheet = read_sheet(text_of_seed).sheet
        except UnreadOrders as refused:
            if "this 'else' could belong" not in str(refused):
                raise
        else:
            read += 1
            written = sheet_text(sheet)
            assert read_sheet(written).sheet == sheet
            assert set(re.findall(r"[A-Za-z]+(?![A-Za-z0-9])", written)) <= known
    assert read > 80


ALSO = [
    ("pump A1", "station A1", "buy {}"),
    ("gasoline", "gas", "sell 1 {} foreign"),
    ("gasoline", "petrol", "sell 1 {} foreign"),
    ("crude", "oil", "sell 1 {} foreign"),
    ("foreign", "international", "sell 1 crude {}"),
    ("B3", "row 2 column 3", "convert {}"),
    ("buy pump A1", "buy a pump at A1", "{}"),
    ("3 crude foreign", "3 barrels of crude on the foreign market", "buy {}"),
    ("not above 8", "not above $8M", "buy 3 crude foreign {}"),
    ("buy 3 crude foreign", "market: foreign\nbuy 3 crude", "{}"),
    ("max", "all", "sell {} crude foreign"),
    ("convert A1\nconvert A2", "convert A1; convert A2", "{}"),
    ("convert A1\nconvert A2", "convert A1, convert A2", "{}"),
    ("if depression:", "if depression then", "{} convert"),
    ("if depression:", "if the climate is depression,", "{} convert"),
    *(
        (f"{word} 5", f"{sign} 5", "if cash {}: convert")
        for word, sign in (
            ("at least", ">="),
            ("more than", ">"),
            ("at most", "<="),
            ("less than", "<"),
            ("exactly", "="),
        )
    ),
    ("cash of B", "B's cash", "if {} at least 5: convert"),
    ("cash", "my cash", "if {} at least 5: convert"),
    ("cash of B at least 5", "B has at least 5 cash", "if {}: convert"),
    ("cash of B more than my cash", "B has more cash than me", "if {}: convert"),
    ("rigs of B at most 0", "B has no rigs", "if {}: convert"),
    ("rig of B at C3", "B has a rig at C3", "if {}: convert"),
    ("A bought rigs", "I bought a rig", "if {}: convert"),
    ("B converted rigs at C3", "B has converted a rig at C3", "if {}: convert"),
    ("roll double for B", "B rolled a double", "if {}: convert"),
    ("1200", "1,200", "if cash at least {}, convert"),
    ("1200", "1.200", "convert keep {}."),
    ("rigs of B", 'rigs of "Ben"', "if {} at least 2: convert"),
]


@pytest.mark.parametrize(("usual", "other", "frame"), ALSO)
def test_what_may_be_written_instead(usual: str, other: str, frame: str) -> None:
    assert same(usual, other, frame)
    table = GUIDE.partition("You may also write:")[2]
    assert other.splitlines()[0] in table or other.split(maxsplit=1)[0] in table
