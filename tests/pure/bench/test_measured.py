"""Figures from times."""

from mcmulti.cli.bench.measured import Latency, Load


def test_latencies_are_times_that_occurred() -> None:
    """Of 1 to 200 microseconds, in any order, 100 are at most 100, 190 at most 190, 198 at most 198."""
    nanoseconds = [1000 * number for number in range(200, 0, -1)]
    assert Latency.of(nanoseconds) == Latency(p50=100, p95=190, p99=198, longest=200)


def test_a_single_time_is_all_latencies() -> None:
    assert Latency.of([5_999]) == Latency(5, 5, 5, 5)


def test_a_rate_is_answers_a_second() -> None:
    assert Load(1, answers=30, seconds=1.5, cpu_seconds=0.1, latency=Latency(1, 1, 1, 1)).rate == 20
