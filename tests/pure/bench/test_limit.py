"""What limits a server, from unambiguous figures."""

import pytest

from mcmulti.cli.bench.database import Probe, warnings
from mcmulti.cli.bench.limit import limit
from mcmulti.cli.bench.measured import Latency, Usage


def probe(round_trip: int, commit: int) -> Probe:
    """A database with this round trip and this commit time, in microseconds."""
    return Probe(Latency(round_trip, 0, 0, 0), Latency(commit, 0, 0, 0), {})


NEAR = probe(100, 250)
"""Neither the network nor the disk is slow."""


@pytest.mark.parametrize(
    ("usage", "database", "what"),
    [
        (Usage(server=0.5, generator=0.9, postgres=0.2, backend=0.1, machine=1.6), NEAR, "load generator"),
        (Usage(server=0.9, generator=0.3, postgres=0.2, backend=0.1, machine=1.4), NEAR, "server"),
        (Usage(server=0.5, generator=0.3, postgres=1.2, backend=0.9, machine=2.0), NEAR, "postgres"),
        (Usage(server=0.9, generator=0.9, postgres=1.6, backend=0.9, machine=3.4), NEAR, "processors"),
        (Usage(server=0.9, generator=0.3, postgres=None, backend=None, machine=4.0), NEAR, "processors"),
        (Usage(server=0.4, generator=0.1, postgres=0.1, backend=0.1, machine=0.6), probe(100, 200), "disk"),
        (Usage(server=0.4, generator=0.1, postgres=None, backend=None, machine=0.5), probe(100, 199), "network"),
    ],
    ids=["generator", "server", "one backend", "machine", "others on the machine", "disk", "network"],
)
def test_the_limit_follows_from_who_is_busy(usage: Usage, database: Probe, what: str) -> None:
    """One worker on a machine of four processors."""
    assert limit(usage, 1, 4, database).what == what


def test_workers_share_what_their_processors_can_do() -> None:
    """One worker can take 1.6 processors at most, but not two."""
    usage = Usage(server=1.6, generator=0.3, postgres=0.2, backend=0.1, machine=2.2)
    assert limit(usage, 1, 4, NEAR).what == "server"
    assert limit(usage, 2, 4, NEAR).what == "disk"


def test_the_sentence_has_the_figures() -> None:
    """Others use what is left of 3.9 after 0.9, 0.5, and 1.2."""
    busy = Usage(server=0.9, generator=0.5, postgres=1.2, backend=0.9, machine=3.9)
    assert (
        "of 4, the server takes 0.90, PostgreSQL 1.20, the load generator 0.50, and all others 1.30."
        in limit(busy, 1, 4, NEAR).sentence
    )
    idle = Usage(server=0.1, generator=0.1, postgres=None, backend=None, machine=0.3)
    assert "a commit takes 9.50 ms, of which the network takes 0.30 ms" in (
        limit(idle, 1, 4, probe(300, 9500)).sentence
    )


def test_settings_that_risk_games_are_warned_of() -> None:
    safe = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}
    assert warnings(safe) == ()
    for setting in safe:
        (warning,) = warnings({**safe, setting: "off"})
        assert warning.startswith(f"{setting} is off. ")
    assert warnings({**safe, "synchronous_commit": "local"}) == ()
