"""Tests with another game plugged in: neither the code under test nor the tests depend on the games of this package."""

import pytest

from tests.toy.with_another_game import OF_ALL_GAMES, OF_THE_GAME, passes_with_the_race


@pytest.mark.needs("chromium", "node", "npm")
@pytest.mark.parametrize(
    "chosen", [("-k", "dice_race", *OF_THE_GAME), OF_ALL_GAMES], ids=["of the game", "of all games"]
)
def test_the_suite_passes_with_another_game(chosen: tuple[str, ...]) -> None:
    passes_with_the_race(*chosen, timeout=3600)
