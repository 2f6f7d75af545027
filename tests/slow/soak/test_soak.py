"""Three hundred and twenty games with everything happening at random."""

from collections import Counter

import pytest

from mcmulti.domain.rulesets import CURRENT
from tests.profiles import profile_of
from tests.slow.soak.soak import Soak

GAMES = 80
"""For each rule set."""


@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", CURRENT)
async def test_games_go_on_and_are_proven_whatever_happens(name: str) -> None:
    """No absent player pays what no rule forces, no game waits for an absent player, and every log is proven."""
    happened = Counter[str]()
    for seed in range(GAMES):
        soak = Soak(CURRENT[name], seed)
        await soak.play()
        happened += soak.happened
    print(dict(happened))
    assert happened["over"] > GAMES / 4
    assert happened["deadlines"]
    assert happened["sat down"]
    assert happened["Resign"]
    options = profile_of(name).options
    if "undo" in options:
        assert happened["unasked"]
        assert happened["TakeBack"]
    if "instructions" in options:
        assert happened["instructed"]
