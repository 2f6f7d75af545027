"""Prometheus metrics of a server.

Code counts each thing where it happens. `mcmulti.server.sampling` sets the gauges once a second. If several processes
serve together, the Prometheus library keeps the metrics in files, and one process reads them all
(`mcmulti.server.exposition`).
"""

from functools import cache, partial

from msgspec import Struct, field
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics

# Nobody needs the creation times of counters, and they would double the response.
disable_created_metrics()  # type: ignore[no-untyped-call]
REGISTRY = CollectorRegistry()
"""The registry of all metrics below."""

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
"""Histogram bounds for durations, in seconds: a request is answered within 10 s."""
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
"""Histogram bounds for batch sizes."""

_counter = partial(Counter, registry=REGISTRY)
_histogram = partial(Histogram, registry=REGISTRY)
_summed = partial(Gauge, registry=REGISTRY, multiprocess_mode="livesum")
_highest = partial(Gauge, registry=REGISTRY, multiprocess_mode="livemax")
"""Gauges of which several processes show the sum, or the highest value."""


class DurationTally(Struct, eq=False):
    """Durations counted by bucket before the histogram gets them. Adding them one by one would take ten
    times as long.
    """

    counts: list[int] = field(default_factory=lambda: [0] * (len(SECONDS) + 1))
    seconds: float = 0.0


NO_OPERATION = "none"
"""The operation label of requests that matched no operation: 404, 405, OPTIONS."""

REQUESTS = _histogram(
    "mcmulti_request_duration_seconds",
    "Time until a response begins, without the wait of polls, by operation of the contract and class of status.",
    ("operation", "status"),
    buckets=SECONDS,
)
_tallies: dict[tuple[str, str], DurationTally] = {}


def tally(operation: str, status: str) -> DurationTally:
    """The tally for durations of this kind; `settle` passes them to the histogram."""
    return _tallies.setdefault((operation, status), DurationTally())


def settle() -> None:
    """Add the tallies to the histogram. It has no method for adding many values at once, so this uses its internals."""
    for kind, tallied in _tallies.items():
        counts, tallied.counts = tallied.counts, [0] * (len(SECONDS) + 1)
        seconds, tallied.seconds = tallied.seconds, 0.0
        if any(counts):
            durations = REQUESTS.labels(*kind)
            durations._sum.inc(seconds)
            for bucket, count in zip(durations._buckets, counts, strict=True):
                if count:
                    bucket.inc(count)


UNDER_WAY = _summed("mcmulti_requests_under_way", "Requests whose response has not begun, without waiting polls.")
READERS = _summed(
    "mcmulti_readers",
    "Readers that wait for news: streams of games, of players, and of the lobby, and polls.",
    ("kind",),
)
CONNECTIONS = _summed("mcmulti_connections", "Connections of clients.")
CONNECTIONS_REFUSED = _counter(
    "mcmulti_connections_refused_total",
    "Connections closed at once: an address had too many, or file descriptors ran out.",
    ("reason",),
)
QUOTA_REFUSALS = _counter(
    "mcmulti_quota_refusals_total", "Requests refused because a `quota` of the API was exceeded.", ("quota",)
)
APPENDED = _counter("mcmulti_events_appended_total", "Events appended to the log.", ("ruleset",))
CONFLICTS = _counter(
    "mcmulti_conflicts_total", "Appends that had to be decided again because another writer was faster."
)
BATCH_SIZE = _histogram("mcmulti_commit_batch_size", "Appends committed together.", buckets=SIZES)
COMMITS = _histogram("mcmulti_commit_duration_seconds", "Duration of the commit of a batch.", buckets=SECONDS)
UNSENT = _summed("mcmulti_unsent_bytes", "Memory of large responses that are being built or sent, in bytes.")
CACHED_GAMES = _summed("mcmulti_cached_games", "Games whose heads and states are cached.")
CACHED_GAMES_LIMIT = _summed("mcmulti_cached_games_limit", "Maximum number of these games.")
DAMAGED_GAMES = _counter("mcmulti_damaged_game_loads_total", "Loads of games that turned out to be damaged.")
DAMAGED_SNAPSHOTS = _counter(
    "mcmulti_damaged_snapshots_total", "Damaged snapshots: they were dropped, and the states computed from events."
)
TASK_RESTARTS = _counter(
    "mcmulti_task_restarts_total", "Restarts of background tasks after an unexpected error.", ("task",)
)
TASKS_FAILING = _summed("mcmulti_tasks_failing", "Background tasks that failed and wait for their restart.")
QUARANTINED_GAMES = _highest(
    "mcmulti_quarantined_games", "Games that accept no commands because a check found a fault in their rows."
)
CHECKED_EVENTS = _counter("mcmulti_checked_events_total", "Events checked again in the background.")
EXPIRED_RECEIPTS = _counter("mcmulti_expired_receipts_total", "Receipts deleted long after the end of their games.")
NOTICES = _counter(
    "mcmulti_notices_total",
    "Messages to players outside the game: `sent`, `failed` (an attempt), `given_up` after the last attempt, `obsolete`"
    " if the turn ended first, `unsubscribed` by the receiver, `dropped` because too many were waiting.",
    ("outcome",),
)
NOTICES_WAITING = _highest(
    "mcmulti_notices_waiting", "Messages to players waiting to be sent, at the last look for games that moved."
)
CHAT = _counter(
    "mcmulti_chat_messages_total",
    "Messages in chats at tables: `said`, `removed` by authors or openers, `reported` to the operator.",
    ("what",),
)
WENT_BACK = _counter("mcmulti_log_went_back_total", "Times that the log turned out to have gone back.")
DEADLINES_KEPT = _counter(
    "mcmulti_deadlines_kept_total", "Rounds by post and moves with a clock that the server ended at their deadline."
)
DEADLINES_MISSED = _counter(
    "mcmulti_deadlines_missed_total", "Deadlines missed by seats that had a choice, by clock or by post.", ("ruleset",)
)
MOVES_UNASKED = _counter(
    "mcmulti_moves_unasked_total",
    "Default moves made for seats whose time was up, or that were empty.",
    ("ruleset", "why"),
)
SEATS_VACATED = _counter(
    "mcmulti_seats_vacated_total",
    "Seats vacated in running games: `resigned`; `missed` for too many missed moves; by house bots because the player"
    " `returned`, or because one player is the `last`.",
    ("ruleset", "why"),
)
HAPPENED = {"moves_unasked": MOVES_UNASKED, "seats_vacated": SEATS_VACATED}
"""The counter of each event type that has a `why`."""
TIME_GIVEN_BACK = _counter(
    "mcmulti_time_given_back_seconds_total", "Seconds of outages that were given back to players."
)
DEADLINES_OVERDUE = _highest(
    "mcmulti_deadlines_overdue",
    "Games with an overdue deadline at the last check, once a second. At most about 100 are counted.",
)
DEADLINE_OVERDUE = _highest("mcmulti_deadline_overdue_seconds", "Seconds since the earliest overdue deadline.")
CLOCK_SKEW = _highest(
    "mcmulti_clock_skew_seconds",
    "Difference between the clocks of the machine and the database, which deadlines follow, checked every 5 seconds.",
)
DATABASE_AWAY = _highest(
    "mcmulti_database_away",
    "1 while the database does not respond to the check for deadlines, once a second; otherwise 0.",
)
DATABASE_FAILURES = _counter("mcmulti_database_failures_total", "Calls to which the database did not respond.")
WRITES_FAIL = _highest(
    "mcmulti_writes_fail",
    "1 while the database does not accept the writes of commands, tried every 5 seconds; otherwise 0.",
)
POOL = _summed("mcmulti_pool_connections", "Connections to the database, idle and used.", ("state",))
POOL_WAITING = _summed("mcmulti_pool_waiting", "Calls that wait for a connection.")


@cache
def appended(ruleset: str) -> Counter:
    """The counter of events appended to games of a rule set."""
    return APPENDED.labels(ruleset)
