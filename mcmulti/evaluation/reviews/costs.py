"""What a decision cost, from samples of what each option led to under the same dice."""

from collections.abc import Sequence
from statistics import fmean

from mcmulti.evaluation.estimates import estimated
from mcmulti.projections.reviews import Estimate


def cost_of(played: Sequence[float], others: Sequence[Sequence[float]]) -> tuple[Estimate, int | None]:
    """How much less the played option is worth than the best one, and which of the others that is; None if it is best.

    The option that looks best among several looks better than it is. So one half of the samples chooses it and the
    other half measures it, and then the other way round. What is within the standard error counts as 0.
    """
    options = [played, *others]
    samples = min(map(len, options))
    options = [option[:samples] for option in options]
    best = _best(options)
    surplus = estimated([better - own for better, own in zip(options[best], options[0], strict=True)])
    if best == 0 or surplus.value <= (surplus.error or 0.0):
        return Estimate(0.0, surplus.error), None
    if surplus.error is None:
        return surplus, best - 1
    halves = [[option[half::2] for option in options] for half in (0, 1)]
    gains = []
    for choosing, measuring in (halves, halves[::-1]):
        chosen = _best(choosing)
        gains.append(fmean(measuring[chosen]) - fmean(measuring[0]))
    return Estimate(max(0.0, fmean(gains)), surplus.error), best - 1


def led_to(chances: Sequence[Sequence[float]]) -> Sequence[float]:
    """What a command led to: of the samples after it, and after each with which its player went on, the best.

    Otherwise every step of a good plan would cost what fast players would have made of the rest of it. A later step
    that spoils the plan costs that itself.
    """
    return max(chances, key=fmean)


def _best(options: Sequence[Sequence[float]]) -> int:
    """The option with the highest mean; the first of equals."""
    means = [fmean(option) for option in options]
    return means.index(max(means))
