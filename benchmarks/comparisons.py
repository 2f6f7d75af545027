"""What is compared with what, and what is aimed at."""

from benchmarks import footprint, growth, reads, streams
from benchmarks.commands import BATCHED, HTTP, IN_PROCESS, MEAN, NOTHING, NOTHING_MEAN, ONE_ROW, WITHOUT_RULES, WORKERS
from benchmarks.figures import Aim
from benchmarks.limits import APPEND_LATENCY, PGBENCH, PIPELINED, ROW_LATENCY
from benchmarks.peer import AGGREGATES, FUNCTIONS, SAVES

AIMS = (
    Aim("HTTP, 64 clients / one row a transaction", HTTP[64], (ONE_ROW,), value=1.3),
    Aim("HTTP, 64 clients / the same appends in batches, without rules", HTTP[64], (WITHOUT_RULES,), value=0.5),
    Aim("HTTP, 64 clients / one row in batches, without rules", HTTP[64], (BATCHED,), value=0.5),
    Aim("HTTP, 64 clients / Litestar POST without database", HTTP[64], (NOTHING,)),
    Aim("in process / pgbench, 64 clients", IN_PROCESS, (PGBENCH[64],), value=0.8),
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
    streams.aim(1000, 100, 100, 50),
    streams.aim(200, 1, 20),
    *growth.AIMS,
    *footprint.AIMS,
)
"""Those without a value are for comparison."""
