"""The comparisons of the server, and their targets. Needs no package of a peer."""

from benchmarks import footprint, growth, reads, streams
from benchmarks.commands import BATCHED, HTTP, IN_PROCESS, MEAN, NOTHING, NOTHING_MEAN, ONE_ROW, WITHOUT_RULES, WORKERS
from benchmarks.figures import Aim, Figure
from benchmarks.limits import APPEND_LATENCY, PGBENCH, PIPELINED, ROW_LATENCY

SAVES = {
    1: Figure("eventsourcing, application recorder, 1 thread", "saves/s"),
    16: Figure("eventsourcing, application recorder, 16 threads", "saves/s"),
}
FUNCTIONS = Figure("eventsourcing, application recorder with database functions, 16 threads", "saves/s")
AGGREGATES = Figure("eventsourcing, aggregate recorder (no order of all events), 16 threads", "saves/s")
REBUILT = {
    "json": Figure("eventsourcing: rebuild an aggregate of the same events", "events/s"),
    "msgspec": Figure("eventsourcing: the same with a transcoder of msgspec", "events/s"),
}

AIMS = (
    Aim("HTTP, 64 clients / one row a transaction", HTTP[64], (ONE_ROW,), value=1.0, later=1.2),
    Aim("HTTP, 64 clients / the same appends in batches, without rules", HTTP[64], (WITHOUT_RULES,), value=0.5),
    Aim("HTTP, 64 clients / one row in batches, without rules", HTTP[64], (BATCHED,), value=0.5),
    Aim("HTTP, 64 clients / Litestar POST without database", HTTP[64], (NOTHING,)),
    Aim("in process / pgbench, 64 clients", IN_PROCESS, (PGBENCH[64],), value=1.4),
    Aim("in process / pgbench, 16 clients", IN_PROCESS, (PGBENCH[16],)),
    Aim("in process / pgbench, 64 clients, pipelined", IN_PROCESS, (PIPELINED,)),
    Aim("in process / eventsourcing, 16 threads", IN_PROCESS, (SAVES[16],), value=5),
    Aim("in process / eventsourcing, 1 thread", IN_PROCESS, (SAVES[1],), value=5),
    Aim("in process / eventsourcing with database functions", IN_PROCESS, (FUNCTIONS,)),
    Aim("in process / eventsourcing without order of all events", IN_PROCESS, (AGGREGATES,)),
    Aim(
        "latency, 1 client / psycopg append + Litestar POST",
        MEAN,
        (APPEND_LATENCY, NOTHING_MEAN),
        "under",
        2.5,
    ),
    Aim("latency, 1 client / psycopg append of one row + Litestar POST", MEAN, (ROW_LATENCY, NOTHING_MEAN), "under"),
    Aim("2 workers / 1 worker, 64 clients", WORKERS[64], (HTTP[64],), value=1.5),
    Aim("2 workers / 1 worker, 256 clients", WORKERS[256], (HTTP[256],), value=1.5),
    *reads.AIMS,
    Aim("load, check and fold / rebuild by eventsourcing", reads.LOADED, (REBUILT["json"],), value=7),
    Aim("load, check and fold / rebuild by eventsourcing with msgspec", reads.LOADED, (REBUILT["msgspec"],)),
    *streams.AIMS,
    *growth.AIMS,
    *footprint.AIMS,
)
"""Those without a value are for comparison only."""
