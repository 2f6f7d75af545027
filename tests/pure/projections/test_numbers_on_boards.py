"""Numbers on boards are written with the separators of the language: drawn, in characters, and in words."""

import pytest

from mcmulti.domain.core.shown.picture import Picture
from mcmulti.domain.core.wording.telling import Language
from mcmulti.domain.marracash.commands import PutUp
from mcmulti.domain.marracash.picture import picture as town
from mcmulti.domain.millionenspiel.picture import picture as ring
from mcmulti.domain.millionenspiel.pieces import Pieces
from mcmulti.projections.pictures.words import described
from mcmulti.projections.terminal import board as board_text
from tests.projections.svg import parsed, texts
from tests.pure.marracash import situations as bazaar
from tests.pure.millionenspiel import situations as money


def said(shown: Picture) -> tuple[set[str], str, str]:
    """The texts of the drawing, the picture in characters, and the words."""
    return set(texts(parsed(shown))), board_text.drawn(shown, 120).plain, " ".join(described(shown))


@pytest.mark.parametrize(("language", "dot"), [("en", ","), ("de", ".")])
def test_money_and_the_goal(language: Language, dot: str) -> None:
    """Ada has 9901, of which she staked 9000. Ben, who is asked, has 10000, and can have a million."""
    purses = {0: Pieces(1, 0, 9), 1: Pieces(ten_thousands=1)}
    state = money.situation(purses, {0: Pieces(thousands=9)}, waiting=(1,), at_stake=(0, 1))
    drawn, letters, words = said(ring(state, language))
    goal = {"en": "goal", "de": "Ziel"}[language]
    assert {f"{goal}: 1{dot}000{dot}000", f"9{dot}901", f"100{dot}000", f"1{dot}000{dot}000"} <= drawn
    assert f"{goal} 1{dot}000{dot}000" in letters
    assert f"9{dot}901" in letters
    assert f"9{dot}901" in words
    assert f"9 × 1{dot}000" in words
    staked = {"en": "staked", "de": "gesetzt"}[language]
    assert f"{staked} 9{dot}000" in words
    for told in (*drawn, letters, words):
        assert "9901" not in told
        assert "1000" not in told


@pytest.mark.parametrize(("language", "dot"), [("en", ","), ("de", ".")])
def test_the_highest_bid(language: Language, dot: str) -> None:
    state = bazaar.after(bazaar.situation(cash=1500), bazaar.ADA, PutUp("R1", 1200))
    drawn, letters, words = said(town(state, language))
    assert {f"1{dot}500", f"1{dot}200"} <= drawn
    for told in (letters, words):
        assert f"1{dot}500" in told
        assert f"1{dot}200" in told


@pytest.mark.parametrize(("language", "title"), [("en", "Round 1 · staking"), ("de", "Runde 1 · Einsetzen")])
def test_a_title_begins_with_a_capital(language: Language, title: str) -> None:
    assert ring(money.situation({0: Pieces(5)}, waiting=(0,)), language).title == title
