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
    "Time until a response begins, without the wait of polls, by operation of the contract and class of status.",
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
    "Requests whose response has not begun, without waiting polls.",
    registry=REGISTRY,
    multiprocess_mode="livesum",
)
READERS = Gauge(
    "mcmulti_readers",
    "Readers that wait for news: streams of games, of players, and of the lobby, and polls.",
    ("kind",),
    registry=REGISTRY,
    multiprocess_mode="livesum",
)
CONNECTIONS = Gauge("mcmulti_connections", "Connections of clients.", registry=REGISTRY, multiprocess_mode="livesum")
CONNECTIONS_REFUSED = Counter(
    "mcmulti_connections_refused_total",
    "Connections closed at once: an address had too many, or file descriptors ran out.",
    ("reason",),
    registry=REGISTRY,
)
QUOTA_REFUSALS = Counter(
    "mcmulti_quota_refusals_total",
    "Requests refused because a `quota` of the API was exceeded.",
    ("quota",),
    registry=REGISTRY,
)
APPENDED = Counter("mcmulti_events_appended_total", "Events appended to the log.", ("ruleset",), registry=REGISTRY)
CONFLICTS = Counter(
    "mcmulti_conflicts_total",
    "Appends that had to be decided again because another writer was faster.",
    registry=REGISTRY,
)
BATCH_SIZE = Histogram("mcmulti_commit_batch_size", "Appends committed together.", registry=REGISTRY, buckets=SIZES)
COMMITS = Histogram(
    "mcmulti_commit_duration_seconds", "Duration of the commit of a batch.", registry=REGISTRY, buckets=SECONDS
)
UNSENT = Gauge(
    "mcmulti_unsent_bytes",
    "Memory of large responses that are being built or sent, in bytes.",
    registry=REGISTRY,
    multiprocess_mode="livesum",
)
CACHED_GAMES = Gauge(
    "mcmulti_cached_games", "Games whose heads and states are cached.", registry=REGISTRY, multiprocess_mode="livesum"
)
CACHED_GAMES_LIMIT = Gauge(
    "mcmulti_cached_games_limit", "Maximum number of these games.", registry=REGISTRY, multiprocess_mode="livesum"
)
DAMAGED_GAMES = Counter(
    "mcmulti_damaged_game_loads_total", "Loads of games that turned out to be damaged.", registry=REGISTRY
)
DAMAGED_SNAPSHOTS = Counter(
    "mcmulti_damaged_snapshots_total",
    "Damaged snapshots: they were dropped, and the states computed from events.",
    registry=REGISTRY,
)
TASK_RESTARTS = Counter(
    "mcmulti_task_restarts_total",
    "Restarts of background tasks after an unexpected error.",
    ("task",),
    registry=REGISTRY,
)
TASKS_FAILING = Gauge(
    "mcmulti_tasks_failing",
    "Background tasks that failed and wait for their restart.",
    registry=REGISTRY,
    multiprocess_mode="livesum",
)
QUARANTINED_GAMES = Gauge(
    "mcmulti_quarantined_games",
    "Games that accept no commands because a check found a fault in their rows.",
    registry=REGISTRY,
    multiprocess_mode="livemax",
)
CHECKED_EVENTS = Counter("mcmulti_checked_events_total", "Events checked again in the background.", registry=REGISTRY)
EXPIRED_RECEIPTS = Counter(
    "mcmulti_expired_receipts_total",
    "Receipts deleted long after the end of their games.",
    registry=REGISTRY,
)
NOTICES = Counter(
    "mcmulti_notices_total",
    "Messages to players outside the game: `sent`, `failed` (an attempt), `given_up` after the last attempt, `obsolete`"
    " if the turn ended first, `unsubscribed` by the receiver, `dropped` because too many were waiting.",
    ("outcome",),
    registry=REGISTRY,
)
NOTICES_WAITING = Gauge(
    "mcmulti_notices_waiting",
    "Messages to players waiting to be sent, at the last look for games that moved.",
    registry=REGISTRY,
    multiprocess_mode="livemax",
)
CHAT = Counter(
    "mcmulti_chat_messages_total",
    "Messages in chats at tables: `said`, `removed` by authors or openers, `reported` to the operator.",
    ("what",),
    registry=REGISTRY,
)
WENT_BACK = Counter(
    "mcmulti_log_went_back_total", "Times that the log turned out to have gone back.", registry=REGISTRY
)
DEADLINES_KEPT = Counter(
    "mcmulti_deadlines_kept_total",
    "Rounds by post and moves with a clock that the server ended at their deadline.",
    registry=REGISTRY,
)
DEADLINES_MISSED = Counter(
    "mcmulti_deadlines_missed_total",
    "Deadlines missed by seats that had a choice, by clock or by post.",
    ("ruleset",),
    registry=REGISTRY,
)
MOVES_UNASKED = Counter(
    "mcmulti_moves_unasked_total",
    "Default moves made for seats whose time was up, or that were empty.",
    ("ruleset", "why"),
    registry=REGISTRY,
)
SEATS_VACATED = Counter(
    "mcmulti_seats_vacated_total",
    "Seats vacated in running games: `resigned`; `missed` for too many missed moves; by house bots because the player"
    " `returned`, or because one player is the `last`.",
    ("ruleset", "why"),
    registry=REGISTRY,
)
HAPPENED = {"moves_unasked": MOVES_UNASKED, "seats_vacated": SEATS_VACATED}
"""The counter of each event type that has a `why`."""
TIME_GIVEN_BACK = Counter(
    "mcmulti_time_given_back_seconds_total",
    "Seconds of outages that were given back to players.",
    registry=REGISTRY,
)
DEADLINES_OVERDUE = Gauge(
    "mcmulti_deadlines_overdue",
    "Games with an overdue deadline at the last check, once a second. At most about 100 are counted.",
    registry=REGISTRY,
    multiprocess_mode="livemax",
)
DEADLINE_OVERDUE = Gauge(
    "mcmulti_deadline_overdue_seconds",
    "Seconds since the earliest overdue deadline.",
    registry=REGISTRY,
    multiprocess_mode="livemax",
)
CLOCK_SKEW = Gauge(
    "mcmulti_clock_skew_seconds",
    "Difference between the clocks of the machine and the database, which deadlines follow, checked every 5 seconds.",
    registry=REGISTRY,
    multiprocess_mode="livemax",
)
DATABASE_AWAY = Gauge(
    "mcmulti_database_away",
    "1 while the database does not respond to the check for deadlines, once a second; otherwise 0.",
    registry=REGISTRY,
    multiprocess_mode="livemax",
)
DATABASE_FAILURES = Counter(
    "mcmulti_database_failures_total", "Calls to which the database did not respond.", registry=REGISTRY
)
WRITES_FAIL = Gauge(
    "mcmulti_writes_fail",
    "1 while the database does not accept the writes of commands, tried every 5 seconds; otherwise 0.",
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
