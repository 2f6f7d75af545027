"""Finds the bottleneck of a server from a measurement."""

from typing import Literal

from msgspec import Struct

from mcmulti.cli.bench.database import Probe
from mcmulti.cli.bench.measured import Usage

BUSY = 0.85
"""From this share of its processor on, a process is the bottleneck."""


class Bottleneck(Struct, frozen=True):
    """The bottleneck of a server, and a sentence that names it and what would help."""

    what: Literal["load generator", "processors", "server", "postgres", "disk", "network"]
    sentence: str


def limit(usage: Usage, workers: int, processors: int, probe: Probe) -> Bottleneck:
    """The bottleneck, from processor use under load, and from the database measured by itself."""
    server, generator = usage.server, usage.generator
    if usage.machine >= BUSY * processors:
        others = usage.machine - server - generator - (usage.postgres or 0)
        return Bottleneck(
            "processors",
            f"The processors are the limit: of {processors}, the server takes {server:.2f}, "
            + (f"PostgreSQL {usage.postgres:.2f}, " if usage.postgres is not None else "")
            + f"the load generator {generator:.2f}, and all others {max(others, 0):.2f}. More processors help, or "
            "PostgreSQL on a machine of its own. In play the load comes from other machines.",
        )
    if generator >= BUSY:
        return Bottleneck(
            "load generator",
            f"The load generator is the limit: it takes {generator:.2f} of the one processor that it can use. The "
            "server can do more than was measured.",
        )
    if server >= BUSY * workers:
        return Bottleneck(
            "server",
            f"The server's processor is the limit: it takes {server:.2f} of the {workers} that it can use, and there "
            f"are {processors}. More workers help, or more servers on the same database.",
        )
    if usage.backend is not None and usage.backend >= BUSY:
        return Bottleneck(
            "postgres",
            f"PostgreSQL is the limit: one of its processes takes {usage.backend:.2f} of the one processor that it can "
            "use. Faster processors help, and more servers on the same database.",
        )
    return _waiting(probe)


def _waiting(probe: Probe) -> Bottleneck:
    """What commands wait for if no processor is busy."""
    way, commit = probe.round_trip.p50, probe.commit.p50
    if commit - way >= way:
        return Bottleneck(
            "disk",
            f"The disk is the limit: a commit takes {milliseconds(commit)}, of which the network takes "
            f"{milliseconds(way)}. A disk with faster durable writes helps. So do more games at a time, because "
            "their commits share a write.",
        )
    return Bottleneck(
        "network",
        f"The network to the database is the limit: a round trip takes {milliseconds(way)}, and a commit with it "
        f"{milliseconds(commit)}. A server closer to its database helps, and so do more games at a time.",
    )


def milliseconds(microseconds: int) -> str:
    """A time for people."""
    return f"{microseconds / 1000:.2f} ms"
