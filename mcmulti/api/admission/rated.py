"""Requirements for rated tables."""

from typing import Any

from mcmulti.api.http.problems import ApiError
from mcmulti.domain.core.capabilities.clock import DAY, ByClock
from mcmulti.domain.core.capabilities.rating import for_practice
from mcmulti.domain.core.ruleset import Ruleset

PATIENCE = 30
"""Rated games need a limit of at most this many days until an inactive player is out, so that nobody can avoid a loss
by waiting.
"""


def admit_rated(ruleset: Ruleset[Any], setup: Any, *, listed: bool) -> None:
    """Raise a problem unless a table with this setup can be rated."""
    if not listed:
        raise ApiError("unlisted", "Ratings are made of what all may see: list the table, or do not rate it.")
    if for_practice(setup):
        raise ApiError("rated_practice", "What is played for practice counts for nothing: leave out one of the two.")
    if ruleset.flow.has(ByClock) is None:
        return
    if setup.clock is None:
        raise ApiError("rated_without_clock", "A rated table needs a clock, so that nobody is kept waiting for points.")
    clock = setup.clock
    if clock.misses * clock.move_seconds + clock.bank_seconds > PATIENCE * DAY:
        raise ApiError(
            "rated_too_slow",
            "At a rated table, `misses` times `move_seconds` plus `bank_seconds` must be 30 days or less, so that"
            " nobody puts off a defeat.",
            limit=PATIENCE * DAY,
        )
