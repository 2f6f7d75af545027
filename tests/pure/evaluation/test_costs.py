"""What a decision cost, from samples."""

from mcmulti.evaluation.evaluate import estimated
from mcmulti.evaluation.reviews.review import cost_of, led_to
from mcmulti.projections.reviews import Estimate


def test_the_best_move_costs_nothing() -> None:
    assert cost_of([0.5, 0.6], [[0.4, 0.5], [0.1, 0.2]]) == (Estimate(0.0, 0.0), None)


def test_a_better_move_costs_the_difference_under_the_same_dice() -> None:
    """0.25 more with any dice: the difference has no error, whatever the dice are."""
    cost, best = cost_of([0.0, 0.5, 0.25, 0.75], [[0.0, 0.0, 0.0, 0.0], [0.25, 0.75, 0.5, 1.0]])
    assert (cost, best) == (Estimate(0.25, 0.0), 1)


def test_what_only_luck_makes_look_better_costs_nothing() -> None:
    """+0.4 and -0.2 are +0.1 on average, with a standard error of 0.3."""
    cost, best = cost_of([0.5, 0.5], [[0.9, 0.3]])
    assert (cost.value, best) == (0.0, None)


def test_one_sample_has_no_error() -> None:
    assert cost_of([0.25], [[0.5]]) == (Estimate(0.25, None), 0)
    assert cost_of([0.5], [[0.25]]) == (Estimate(0.0, None), None)


def test_the_option_that_one_half_chooses_is_measured_by_the_other() -> None:
    """By the even samples, A is best, with 0.9: the odd ones measure 0.5.

    By the odd ones, B is, with 0.7: the even ones measure 0.5. So the result is 0.5 on average, while A looks like 0.7
    and B like 0.6.
    """
    played, first, second = [0.0] * 4, [0.9, 0.5, 0.9, 0.5], [0.5, 0.7, 0.5, 0.7]
    cost, best = cost_of(played, [first, second])
    assert (round(cost.value, 9), best) == (0.5, 0)


def test_the_standard_error_is_that_of_the_mean() -> None:
    """0 and 1: the standard deviation is the root of one half. Divided by the root of 2, that is one half."""
    found = estimated([0.0, 1.0])
    assert (found.value, round(found.error or 0, 9)) == (0.5, 0.5)


def test_a_step_of_a_plan_costs_nothing_if_its_player_completes_the_plan() -> None:
    """To stop is worth 0.5. After a sale, fast players would reach 0.3, but the player buys something and has 0.6."""
    sale, purchase, stopping = [0.3, 0.3], [0.6, 0.6], [0.5, 0.5]
    assert cost_of(sale, [stopping])[0].value == 0.2
    assert cost_of(led_to([sale, purchase]), [stopping]) == (Estimate(0.0, 0.0), None)


def test_the_step_that_spoils_a_plan_costs_what_it_spoils() -> None:
    """Had the turn ended after the sale, it would be worth 0.6; the purchase after it leaves 0.1."""
    sale, purchase, stopping = [0.6, 0.6], [0.1, 0.1], [0.5, 0.5]
    assert cost_of(led_to([sale, purchase]), [stopping])[0].value == 0.0
    assert cost_of(led_to([purchase]), [sale]) == (Estimate(0.5, 0.0), 0)
