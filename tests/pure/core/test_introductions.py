"""The texts of each game begin with its aim, how a turn goes, and a worked example, which the rules carry out."""

import pytest

from mcmulti.domain.core.wording.introduction import introduction_of
from mcmulti.domain.core.wording.telling import LANGUAGES
from mcmulti.domain.marracash.commands import MoveGroup
from mcmulti.domain.marracash.state import Crowd
from mcmulti.domain.marracash.town import STREETS
from mcmulti.domain.mcmulti.commands import BuyAsset, EndTurn, SellGasoline
from mcmulti.domain.millionenspiel.pieces import Pieces
from mcmulti.domain.oil.rules.board import sites
from mcmulti.domain.postal.sheets.places import Plot
from mcmulti.domain.postal.sheets.sheet import BuyAssetOrder, OrderSheet
from mcmulti.domain.rulesets import CURRENT, SHIPPED
from tests.pure.marracash import situations as bazaar
from tests.pure.mcmulti import situations as box
from tests.pure.millionenspiel import situations as ring
from tests.pure.postal.situations import A, refereed, situation

every = pytest.mark.parametrize("name", SHIPPED)


@every
def test_game_aim__how_a_turn_goes_and_an_example_come_first_and_the_table_last(name: str) -> None:
    for language in LANGUAGES:
        ids = list(CURRENT[name].texts.rules[language])
        assert ids[:3] == ["game/aim", "game/turn", "game/example"]
        groups = [each.split("/")[0] for each in ids]
        first = min(groups.index("table"), groups.index("chance"))
        assert set(groups[first:]) == {"table", "chance"}


@pytest.mark.parametrize(
    ("name", "groups"),
    [
        ("mcmulti", "setup purchase market dice news economy production neighbour assets end final"),
        ("postal", "board postal"),
        ("marracash", "setup start round auction turn move customer entrance end"),
        ("millionenspiel", "setup stake roll settle end"),
    ],
)
def test_game_turn__the_rules_follow_in_the_order_of_a_turn(name: str, groups: str) -> None:
    ids = [rule.split("/")[0] for rule in CURRENT[name].texts.rules["en"]]
    firsts = [ids.index(group) for group in groups.split()]
    assert firsts == sorted(firsts)


@every
def test_the_title_names_the_edition_in_both_languages(name: str) -> None:
    ruleset = CURRENT[name]
    english, german = (introduction_of(ruleset, language).title for language in LANGUAGES)
    assert english == ruleset.title
    assert german.startswith(ruleset.title.split(",")[0].replace("by post", "per Post"))
    assert "edition" not in german


@every
def test_game_turn__is_told_to_you(name: str) -> None:
    assert " you" in CURRENT[name].texts.rules["en"]["game/turn"]
    assert "{" not in "".join(CURRENT[name].texts.rules["en"].values())


def test_game_example__of_the_box_game() -> None:
    """100 + 25 - 48 = 77."""
    state = box.rolled(box.situation(cash=100, gasoline={0: 2}, assets={0: "station 1-1"}), 1, 3)
    state = box.after(state, 0, SellGasoline(1))
    assert state.players[0].cash == 125
    state = box.after(state, 0, BuyAsset("station", box.site("2-2")))
    assert state.players[0].cash == 77
    assert box.after(state, 0, EndTurn()).movers == (1,)


def test_game_example__of_the_millionenspiel() -> None:
    """Two in hand, and three at stake that gain thirty: 35."""
    state = ring.landing(ring.YELLOW, {1: Pieces(2)}, {1: Pieces(3)})
    after, _ = ring.settled(state)
    assert after.players[1].money == 35


@pytest.mark.parametrize(("owner", "cash"), [(0, (300, 0)), (1, (100, 200))])
def test_game_example__of_marracash(owner: int, cash: tuple[int, int]) -> None:
    """Two blue visitors pass B3: 100 + 200 for its owner, of which 50 each go to the player who leads them."""
    start, to = _past("B3")
    state = bazaar.empty_town(groups={start: Crowd(blue=2)}, shops={"B3": (owner, 0)}, cash={0: 0, 1: 0})
    after = bazaar.after(state, 0, MoveGroup(start, to))
    assert after.cash[:2] == cash


def _past(shop: str) -> tuple[int, int]:
    """A street that passes a shop, and no other of its color before it."""
    return next(
        ends
        for ends, street in STREETS.items()
        if shop in street.shops and not any(each[0] == shop[0] for each in street.shops[: street.shops.index(shop)])
    )


def test_game_example__by_post() -> None:
    """100 - 5 + 26 = 121. The others throw a 4 and a 5, which hit nothing."""
    state = situation(cash=100, gasoline=2, assets={A: "station 1-1"})
    sheet = OrderSheet((BuyAssetOrder("rig", Plot(2, 2)),))
    _, after = refereed(state, {A: sheet}, (1, 3, *(4, 5) * 3))
    assert after.players[A].cash == 121
    assert sites(A, after.quadrants[A].rigs)
