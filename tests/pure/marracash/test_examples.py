"""The examples of rules and guide, carried out."""

import pytest

from mcmulti.domain.marracash.commands import MoveGroup
from mcmulti.domain.marracash.state import Crowd
from mcmulti.domain.marracash.town import STREETS
from tests.pure.guided import after_the_example
from tests.pure.marracash import situations as bazaar


def test_game_turn__the_example_of_the_guide() -> None:
    """Ada: 650 + 100 + 200 + 100 = 1,050. Ben: 700 - 150 + 100 = 650."""
    assert after_the_example("marracash").table.cash == (1050, 650, 500, 600)


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
