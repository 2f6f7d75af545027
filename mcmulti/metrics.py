"""Prometheus metrics of a server.

Code counts each thing where it happens. `mcmulti.server.sampling` sets the gauges once a second. If several processes
serve together, the Prometheus library keeps the metrics in files, and one process reads them all
(`mcmulti.server.exposition`).
"""

from functools import cache

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics

# Nobody needs the creation times of counters, and they would double the response.
disable_created_metrics()  # type: ignore[no-untyped-call]
REGISTRY = CollectorRegistry()
"""The registry of all metrics below."""

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
"""Histogram bounds for durations, in seconds: a request is answered within 10 s."""
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
"""Histogram bounds for batch sizes."""


class DurationTally:
    """Durations counted by bucket before the histogram gets them. Adding them one by one would take ten
    times as long.
    """

    __slots__ = ("counts", "seconds")

    def __init__(self) -> None:
        self.counts = [0] * (len(SECONDS) + 1)
        self.seconds = 0.0


NO_OPERATION = "none"
"""The operation label of requests that matched no operation: 404, 405, OPTIONS."""

REQUESTS = Histogram(
    "mcmulti_request_duration_seconds",
    "Until an answer begins, without what a poll waited, by operation of the contract and class of status.",
    ("operation", "status"),
    registry=REGISTRY,
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


UNDER_WAY = Gauge(
    "mcmulti_requests_under_way",
    "Requests whose answer has not begun, without polls that wait.",
    registry=REGISTRY,
    multiprocess_mode="livesum",
)
READERS = Gauge(
    "mcmulti_readers",
    "Who waits for news: streams of games, of players and of the lobby, polls.",
    ("kind",),
    registry=REGISTRY,
    multiprocess_mode="livesum",
)
CONNECTIONS = Gauge("mcmulti_connections", "Connections of clients.", registry=REGISTRY, multiprocess_mode="livesum")
CONNECTIONS_REFUSED = Counter(
    "mcmulti_connections_refused_total",
    "Connections that were closed at once: an address has too many, or descriptors ran out.",
    ("reason",),
    registry=REGISTRY,
)
QUOTA_REFUSALS = Counter(
    "mcmulti_quota_refusals_total",
    "Requests that were refused because there was too much of something: a `quota` of the API.",
    ("quota",),
    registry=REGISTRY,
)
APPENDED = Counter(
    "mcmulti_events_appended_total", "Events that were appended to the log.", ("ruleset",), registry=REGISTRY
)
CONFLICTS = Counter(
    "mcmulti_conflicts_total", "Appends that had to be decided again: somebody else was quicker.", registry=REGISTRY
)
BATCH_SIZE = Histogram(
    "mcmulti_commit_batch_size", "Appends that were committed together.", registry=REGISTRY, buckets=SIZES
)
COMMITS = Histogram(
    "mcmulti_commit_duration_seconds", "How long a commit of a batch took.", registry=REGISTRY, buckets=SECONDS
)
UNSENT = Gauge(
    "mcmulti_unsent_bytes",
    "Memory of large responses that are being made or sent, in bytes.",
    registry=REGISTRY,
    multiprocess_mode="livesum",
)
CACHED_GAMES = Gauge(
    "mcmulti_cached_games", "Games whose heads and states are cached.", registry=REGISTRY, multiprocess_mode="livesum"
)
CACHED_GAMES_LIMIT = Gauge(
    "mcmulti_cached_games_limit", "How many that may be.", registry=REGISTRY, multiprocess_mode="livesum"
)
DAMAGED_GAMES = Counter(
    "mcmulti_damaged_game_loads_total", "Times that a game was loaded and found damaged.", registry=REGISTRY
)
DAMAGED_SNAPSHOTS = Counter(
    "mcmulti_damaged_snapshots_total",
    "Snapshots that were not what had been kept; they were dropped, and the states made of events.",
    registry=REGISTRY,
)
TASK_RESTARTS = Counter(
    "mcmulti_task_restarts_total",
    "Background tasks that ended by an unexpected error and began again.",
    ("task",),
    registry=REGISTRY,
)
TASKS_FAILING = Gauge(
    "mcmulti_tasks_failing",
    "Background tasks that failed and wait to begin again.",
    registry=REGISTRY,
    multiprocess_mode="livesum",
)
QUARANTINED_GAMES = Gauge(
    "mcmulti_quarantined_games",
    "Games that take no commands because a check found a fault in their rows.",
    registry=REGISTRY,
    multiprocess_mode="livemax",
)
CHECKED_EVENTS = Counter(
    "mcmulti_checked_events_total", "Events that were checked again in the background.", registry=REGISTRY
)
EXPIRED_RECEIPTS = Counter(
    "mcmulti_expired_receipts_total",
    "Receipts that were deleted, long after the end of their games.",
    registry=REGISTRY,
)
NOTICES = Counter(
    "mcmulti_notices_total",
    "Messages to players outside the game: `sent`, `failed` (an attempt), `given_up` after the last attempt, `obsolete`"
    " when the turn was over first, `unsubscribed` by the receiver, `dropped` because too many wait.",
    ("outcome",),
    registry=REGISTRY,
)
NOTICES_WAITING = Gauge(
    "mcmulti_notices_waiting",
    "Messages to players that wait to be sent, at the last look for games that moved.",
    registry=REGISTRY,
    multiprocess_mode="livemax",
)
WENT_BACK = Counter("mcmulti_log_went_back_total", "Times that the log was found to have gone back.", registry=REGISTRY)
DEADLINES_KEPT = Counter(
    "mcmulti_deadlines_kept_total",
    "Rounds by post and moves by a clock that went on because their deadline had come.",
    registry=REGISTRY,
)
DEADLINES_MISSED = Counter(
    "mcmulti_deadlines_missed_total",
    "Deadlines that seats let pass which had a choice to make, by clock or by post.",
    ("ruleset",),
    registry=REGISTRY,
)
MOVES_UNASKED = Counter(
    "mcmulti_moves_unasked_total",
    "Least moves that were made for seats, because their time was up or nobody sits there.",
    ("ruleset", "why"),
    registry=REGISTRY,
)
SEATS_VACATED = Counter(
    "mcmulti_seats_vacated_total",
    "Seats vacated in running games: `resigned`; `missed` for too many moves let pass; by house bots when who left has"
    " `returned`, or one player is the `last`.",
    ("ruleset", "why"),
    registry=REGISTRY,
)
HAPPENED = {"moves_unasked": MOVES_UNASKED, "seats_vacated": SEATS_VACATED}
"""The counter of each event type that is counted by its `why`."""
TIME_GIVEN_BACK = Counter(
    "mcmulti_time_given_back_seconds_total",
    "Seconds that nobody kept time, and which were given back.",
    registry=REGISTRY,
)
DEADLINES_OVERDUE = Gauge(
    "mcmulti_deadlines_overdue",
    "Games whose deadline had come at the last look, which is every second; at most about 100 are counted.",
    registry=REGISTRY,
    multiprocess_mode="livemax",
)
DEADLINE_OVERDUE = Gauge(
    "mcmulti_deadline_overdue_seconds",
    "How long ago the earliest of them had come.",
    registry=REGISTRY,
    multiprocess_mode="livemax",
)
CLOCK_SKEW = Gauge(
    "mcmulti_clock_skew_seconds",
    "How far the machine's clock is from the database's, which deadlines go by; asked every 5 seconds.",
    registry=REGISTRY,
    multiprocess_mode="livemax",
)
DATABASE_AWAY = Gauge(
    "mcmulti_database_away",
    "1 while the database does not answer the look for deadlines, which is every second; otherwise 0.",
    registry=REGISTRY,
    multiprocess_mode="livemax",
)
DATABASE_FAILURES = Counter(
    "mcmulti_database_failures_total", "Calls that the database did not answer.", registry=REGISTRY
)
WRITES_FAIL = Gauge(
    "mcmulti_writes_fail",
    "1 while the database does not take what every command writes, which is tried every 5 seconds; otherwise 0.",
    registry=REGISTRY,
    multiprocess_mode="livemax",
)
POOL = Gauge(
    "mcmulti_pool_connections",
    "Connections to the database, idle and used.",
    ("state",),
    registry=REGISTRY,
    multiprocess_mode="livesum",
)
POOL_WAITING = Gauge(
    "mcmulti_pool_waiting", "Calls that wait for a connection.", registry=REGISTRY, multiprocess_mode="livesum"
)


@cache
def appended(ruleset: str) -> Counter:
    """The counter of events appended to games of a rule set."""
    return APPENDED.labels(ruleset)
