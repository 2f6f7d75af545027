"""Phase 2: the production roll and the difference track."""

import pytest

from mcmulti.domain.core.chance import Draw
from mcmulti.domain.mcmulti.commands import RollDice
from mcmulti.domain.mcmulti.news.cards import NewsTriggered
from mcmulti.domain.mcmulti.phases.dice import DiceRolled, DifferenceAdvanced
from tests.pure.mcmulti.situations import events, offered, refused, rolled, rules, situation

# By the red die from above, by the black die from the left.
DIFFERENCES = (
    (0, 1, 2, 3, 4, 5),
    (1, 0, 1, 2, 3, 4),
    (2, 1, 0, 1, 2, 3),
    (3, 2, 1, 0, 1, 2),
    (4, 3, 2, 1, 0, 1),
    (5, 4, 3, 2, 1, 0),
)
NEWS_DOUBLES = {(1, 1), (3, 3), (6, 6)}


def test_dice_production_roll__red_and_black_fall_together() -> None:
    """Red is drawn first. The game drew two news cards before, so these are draws 3 and 4."""
    roll, advance = events(situation(), 0, RollDice(), (2, 5))[:2]
    assert roll == DiceRolled(0, Draw(3, 6, 2), Draw(4, 6, 5))
    assert advance == DifferenceAdvanced(3, 3)


@pytest.mark.parametrize(("assets", "phase"), [("well 2-5", "production"), ("", "assets")])
def test_dice_production_roll__once_a_turn(assets: str, phase: str) -> None:
    state = rolled(situation(assets={0: assets}), 2, 5)
    assert (state.phase, state.now.red, state.now.black) == (phase, 2, 5)
    rejection = refused(state, 0, RollDice())
    assert (rejection.code, rejection.rule) == ("out_of_phase", "turn/phases")


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_dice_production_roll__by_nobody_but_the_player_at_turn(seat: int) -> None:
    assert refused(situation(), seat, RollDice()).code == "out_of_turn"
    assert offered(situation(), seat, "RollDice") == []


@pytest.mark.parametrize("red", range(1, 7))
@pytest.mark.parametrize("black", range(1, 7))
def test_dice_difference__the_track_advances_by_what_the_dice_differ(red: int, black: int) -> None:
    """From 2 to 7 at most, so the economy never changes here. A double leaves the track unchanged."""
    turned_over = (1,) if (red, black) in NEWS_DOUBLES else ()
    state = rolled(situation(difference=2), red, black, *turned_over)
    assert state.difference == 2 + DIFFERENCES[red - 1][black - 1]
    assert state.economy == "recovery"


def test_dice_difference__advances_after_the_news() -> None:
    happened = [type(event) for event in events(situation(), 0, RollDice(), (1, 1, 1))]
    assert happened.index(NewsTriggered) < happened.index(DifferenceAdvanced)


def test_dice_difference__each_event_names_the_rule_it_comes_from() -> None:
    """The roll, the track, the green die with the consumer barrel, and the well that is hit."""
    assert rules(situation(difference=7, assets={0: "well 1-1"}), 0, RollDice(), (1, 2, 1)) == [
        *("dice/production-roll", "dice/difference", "economy/change", "economy/change", "production/hit"),
    ]
