"""Calibration: scores worked out by hand, the same seeds measure the same, and the plots show what was measured."""

import msgspec
import pytest

from benchmarks import calibration
from benchmarks.calibration import PICTURES, PLANS, Bin, Plan, binned, brier, compared, kept, measured, plot
from mcmulti.projections.reviews import Estimate


def test_the_brier_score_is_the_mean_square_of_the_difference() -> None:
    """0.3 too low, 0.2 and 0.1 too high: 0.09, 0.04, and 0.01."""
    assert brier([(0.7, 1.0), (0.2, 0.0), (0.1, 0.0)]) == pytest.approx(0.14 / 3)


def test_bins_compare_predictions_with_victories() -> None:
    """Of 0.22, 0.24, and 0.29, one in two games won: a third.

    The surpluses of the games are 1 - 2/3 and 0 - 1/3. The root of the sum of their squares is 0.471, over three.
    """
    first, second = [(0.22, 1.0), (0.24, 0.0), (1.0, 1.0)], [(0.29, 0.0), (0.75, 0.5)]
    found = list(binned([first, second]))
    assert [place for place, each in enumerate(found) if each is not None] == [2, 7, 9]
    assert found[2] == Bin(3, 0.25, 0.3333, 0.1571)
    assert found[9] == Bin(1, 1.0, 1.0, 0.0)


def test_other_predictions_are_compared_in_the_same_games() -> None:
    """0.04 and 0.09 against 0.25 both times: 0.21 and 0.16 more, which is 0.185 ± 0.025."""
    best, worst = compared({"good": [[(0.8, 1.0)], [(0.3, 0.0)]], "equal": [[(0.5, 1.0)], [(0.5, 0.0)]]})
    assert (best.brier, best.worse) == (Estimate(0.065, 0.025), Estimate(0.0, 0.0))
    assert (worst.brier, worst.worse) == (Estimate(0.25, 0.0), Estimate(0.185, 0.025))


def test_the_same_seeds_measure_the_same() -> None:
    plan = Plan("mcmulti", 2, games=2, positions=2, rollouts=2, seed=9)
    once, again = measured(plan), measured(plan)
    assert once == again
    assert [each.name for each in once.predictions] == ["rollouts", "network alone", "share of cash", "equal chances"]
    assert once.predictions[-1].brier == Estimate(0.25, 0.0)
    assert sum(each.count for each in once.predictions[0].bins if each is not None) == 2 * 2 * 2


def test_the_results_are_those_of_the_plans() -> None:
    assert tuple(found.plan for found in kept()) == PLANS
    assert calibration.KEPT.read_bytes() == msgspec.json.format(msgspec.json.encode(kept())) + b"\n"


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.name)
def test_a_plot_shows_what_was_measured(plan: Plan) -> None:
    [found] = [each for each in kept() if each.plan == plan]
    assert (PICTURES / f"{plan.name}.svg").read_bytes() == plot(found) + b"\n"
