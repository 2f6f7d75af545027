"""Budgets of processor time, and of bytes: a hundred in ten seconds, which refill at ten a second."""

import pytest

from mcmulti.api.admission.quotas import EVENT, FADING, OUTSET, Budgets, StoredBytes, limit_of
from mcmulti.api.http.problems import ApiError
from mcmulti.metering import Meter, Payer


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def budgets(clock: Clock) -> Budgets:
    return Budgets(limit_of("100/10 seconds"), clock)


def took(milliseconds: float, events: int = 0) -> Meter:
    """The meter of a request that took this long in total."""
    meter = Meter(Payer("192.0.2.1", "ada"))
    meter.seconds, meter.events = (milliseconds - OUTSET - events * EVENT) / 1000, events
    return meter


def left(budgets: Budgets, caller: str = "ada") -> str:
    return budgets.headers(caller)["RateLimit"]


def test_a_request_is_charged_what_was_expected_and_in_the_end_what_it_took(budgets: Budgets) -> None:
    assert budgets.headers("ada")["RateLimit-Policy"] == '"processor_ms";q=100;w=10'
    assert left(budgets) == '"processor_ms";r=100;t=1'
    bill = budgets.admit("ada", "charts", 25)
    assert left(budgets) == '"processor_ms";r=75;t=3'
    bill.answered(took(10))
    assert left(budgets) == '"processor_ms";r=90;t=1'
    bill.settle(took(40.5))  # it continues, as streams do
    assert left(budgets) == '"processor_ms";r=59;t=5'
    assert left(budgets, "ben") == '"processor_ms";r=100;t=1'


def test_events_that_are_read_cost_something_too(budgets: Budgets) -> None:
    meter = Meter(Payer("192.0.2.1", "ada"))
    meter.events = 10_000
    budgets.admit("ada", "events", 1).settle(meter)
    assert left(budgets).startswith('"processor_ms";r=59;')  # 100 - 10,000 * 0.004 - 0.1


def test_what_is_used_comes_back_evenly(budgets: Budgets, clock: Clock) -> None:
    budgets.admit("ada", "charts", 25).settle(took(60))
    clock.now = 3.0
    assert left(budgets) == '"processor_ms";r=70;t=3'
    clock.now = 100.0
    assert left(budgets) == '"processor_ms";r=100;t=1'


def test_many_at_a_time_are_refused_before_any_of_them_took_anything(budgets: Budgets) -> None:
    for _ in range(4):
        budgets.admit("ada", "charts", 25)
    with pytest.raises(ApiError) as refused:
        budgets.admit("ada", "charts", 25)
    assert refused.value.problem.status == 429
    assert (refused.value.problem.quota, refused.value.problem.retry_after) == ("processor_ms", 3)
    assert refused.value.headers["Retry-After"] == "3"
    assert refused.value.headers["RateLimit"] == '"processor_ms";r=0;t=11'  # 0.1 ms were spent on refusing it
    budgets.admit("ben", "charts", 25)


def test_the_next_of_a_kind_is_expected_to_take_what_the_last_ones_took(budgets: Budgets, clock: Clock) -> None:
    budgets.admit("ada", "charts", 1).answered(took(40))
    budgets.admit("ben", "charts", 1)
    assert left(budgets, "ben").startswith('"processor_ms";r=60;')
    budgets.admit("ben", "a report", 1)
    assert left(budgets, "ben").startswith('"processor_ms";r=59;')
    budgets.admit("cid", "charts", 1).answered(took(1))  # it was cached
    budgets.admit("dan", "charts", 1)
    assert left(budgets, "dan").startswith(f'"processor_ms";r={int(100 - 40 * FADING)};')


def test_what_is_cheap_is_admitted_where_there_is_no_room_for_what_is_dear(budgets: Budgets) -> None:
    budgets.admit("ada", "charts", 80)
    with pytest.raises(ApiError):
        budgets.admit("ada", "charts", 25)
    budgets.admit("ada", "offers", 1)


def test_a_request_larger_than_the_budget_is_admitted_and_paid_back(budgets: Budgets, clock: Clock) -> None:
    budgets.admit("ada", "game file", 500).settle(took(300))
    with pytest.raises(ApiError) as refused:
        budgets.admit("ada", "offers", 1)
    assert refused.value.problem.retry_after == 21  # 200.1 ms are owed, and 1 ms is needed: 20.11 s
    clock.now = 21
    budgets.admit("ada", "offers", 1)
    clock.now = 35
    budgets.admit("ada", "game file", 500)


def test_bytes_that_were_too_many_are_paid_back_before_more_are_stored(clock: Clock) -> None:
    stored = StoredBytes(limit_of("100/10 seconds"), clock)
    stored.room("here")
    stored.charge("here", 250)
    with pytest.raises(ApiError) as refused:
        stored.room("here")
    assert (refused.value.problem.quota, refused.value.problem.retry_after) == ("stored_bytes", 16)
    assert refused.value.headers["RateLimit-Policy"] == '"stored_bytes";q=100;w=10'
    assert refused.value.headers["RateLimit"] == '"stored_bytes";r=0;t=25'
    stored.room("elsewhere")
    clock.now = 15
    with pytest.raises(ApiError):
        stored.room("here")
    clock.now = 16
    stored.room("here")
