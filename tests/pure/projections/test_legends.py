"""Legends explain what a picture uses, and nothing else. A queue shows where its front is."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

import pytest

from mcmulti.domain.core.shown.picture import Picture
from mcmulti.domain.core.wording.telling import Language
from mcmulti.domain.marracash.commands import PutUp
from mcmulti.domain.marracash.picture import picture as town
from mcmulti.domain.marracash.state import Crowd
from mcmulti.domain.mcmulti.picture import picture as oilfield
from mcmulti.domain.millionenspiel.picture import picture as ring
from mcmulti.domain.millionenspiel.pieces import Pieces
from mcmulti.domain.postal.shown.picture import picture as by_post
from mcmulti.domain.rulesets import CURRENT
from mcmulti.projections.pictures.words import described
from mcmulti.projections.terminal import board as board_text
from tests.projections.boards import ALL
from tests.projections.svg import classed, parsed, texts
from tests.pure.marracash import situations as bazaar
from tests.pure.mcmulti import situations as box
from tests.pure.millionenspiel import situations as money
from tests.pure.postal import situations as post
from tests.pure.properties.random_games import game


def legend(shown: Picture) -> list[str]:
    """What the legend of a drawing explains."""
    return [text for entry in classed(parsed(shown), "legend") for text in texts(entry)]


def signs(shown: Picture) -> str:
    """What the legend of a picture in characters explains: the dim lines at its end."""
    return "\n".join(board_text.drawn(shown).plain.split("\n\n")[-1].split("\n"))


@pytest.mark.parametrize(
    ("assets", "red", "black", "marks"),
    [
        ("", 0, 0, set()),
        ("rig 2-3, station 5-5", 2, 5, {"hit once"}),
        ("rig 2-5", 2, 5, {"hit twice"}),
        ("rig 2-5, station 2-1", 2, 5, {"hit once", "hit twice"}),
        ("rig 1-1", 2, 5, set()),
    ],
)
def test_of_hits_only_those_are_explained_that_there_are(assets: str, red: int, black: int, marks: set[str]) -> None:
    state = box.situation(assets={0: assets} if assets else {})
    shown = oilfield(box.assets_phase(state, red=red, black=black) if red else state, "en")
    all_marks = {"hit once", "hit twice", "idle"}
    assert all_marks & set(legend(shown)) == marks
    assert {mark for mark in all_marks if mark in signs(shown)} == marks


def test_assets_are_explained_as_soon_as_their_prices_are_shown() -> None:
    """Before the start, there is neither an asset nor a card with prices."""
    assets = ["rig", "well", "station", "refinery"]
    assert legend(oilfield(box.table(), "en")) == []
    assert legend(oilfield(box.situation(), "en"))[:4] == assets
    assert legend(by_post(post.situation(), "en"))[:4] == assets
    assert signs(oilfield(box.situation(), "en")).startswith("R rig · W well · S station · # refinery · ¦ red field")


def test_of_the_millionenspiel_only_the_pawn_is_explained() -> None:
    """Money is shown as numbers in columns, and cards by what they pay."""
    shown = ring(money.situation({0: Pieces(5)}, {1: Pieces(1, 2)}, waiting=(0,)), "en")
    assert legend(shown) == ["pawn"]
    assert signs(shown) == "P pawn\n▸ to move"


def test_a_town_is_explained_as_it_is_drawn() -> None:
    """Shops are boxes with names, places are boxes with numbers, and visitors are chips that count them."""
    shown = town(bazaar.situation(), "en")
    assert legend(shown) == ["R1", "shop", "1", "visitor", "2", "fountain", "1", "entrance"]
    assert legend(town(bazaar.table(), "en")) == ["R1", "shop", "2", "fountain", "1", "entrance"]
    assert signs(shown) == "# shop · + visitor\n▸ to move"
    assert signs(town(bazaar.table(), "en")) == "# shop"


def test_who_is_to_move_is_explained_as_long_as_somebody_is() -> None:
    last = bazaar.empty_town(seat=bazaar.CLEO, cash={0: 90, 1: 95, 2: 100}, left=1, last_turns=0)
    assert signs(town(last, "en")) == "# shop\n▸ to move"
    assert signs(town(bazaar.after(last, bazaar.CLEO, PutUp("R1", 100)), "en")) == "# shop"


def _pictures() -> Iterator[Picture]:
    """Pictures by hand, and of random games."""
    yield from ALL.values()
    languages: tuple[Language, ...] = ("en", "de")
    for ruleset in CURRENT.values():
        assert ruleset.picture is not None
        for number, step in enumerate(game(ruleset.name, 7)):
            if number % 23 == 0:
                yield ruleset.picture(step.state, languages[number % 2])


def _looks(shapes: Element) -> Iterator[tuple[str, str]]:
    """What shapes look like: the drawings of paths, and the classes of boxes and circles, except those of owners."""
    for shape in shapes.iter():
        if shape.tag == "path":
            yield shape.tag, shape.get("d") or ""
        elif shape.tag in ("rect", "circle"):
            classes = (shape.get("class") or "").split()
            yield shape.tag, " ".join(sorted(each for each in classes if each != "nobody" and "seat-" not in each))


def test_every_shape_in_a_legend_is_a_shape_of_the_picture() -> None:
    seen = 0
    for shown in _pictures():
        root = parsed(shown)
        [explaining] = classed(root, "legend")
        looks = set(_looks(explaining))
        seen += len(looks)
        root.remove(explaining)
        assert looks <= set(_looks(root)), shown.title
    assert seen


# The queue


def outside(count: int = 10) -> Picture:
    """This many wait outside."""
    return town(bazaar.situation(queue=bazaar.QUEUE[:count], groups={5: Crowd(red=1)}), "en")


@pytest.mark.parametrize("count", [1, 2, 10])
def test_the_front_and_the_back_of_the_queue_are_marked(count: int) -> None:
    """The first is red, the fifth purple, and so on again."""
    [pile] = classed(parsed(outside(count)), "pile")
    assert texts(pile)[2:] == ["front", *["1"] * count, "back"]
    first, *_ = classed(pile, "chip")
    assert (first.get("class") or "").split()[0] == "red"
    told = " ".join(described(outside(count)))
    assert f"queue ({count}, from front to back): visitor (red)" in told
    assert f"queue ({count}, from front to back): visitor (red)" in board_text.drawn(outside(count), 120).plain


def test_an_empty_queue_has_no_ends() -> None:
    shown = town(bazaar.situation(queue=()), "de")
    [pile] = classed(parsed(shown), "pile")
    assert texts(pile) == ["Schlange", "0", "leer"]
    assert "Schlange (0): leer." in " ".join(described(shown))


def test_the_ends_are_marked_in_german() -> None:
    shown = town(bazaar.situation(), "de")
    [pile] = classed(parsed(shown), "pile")
    assert {"vorn", "hinten"} <= set(texts(pile))
    assert "Schlange (10, von vorn nach hinten): Besucher (rot)" in " ".join(described(shown))
