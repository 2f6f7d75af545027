"""Commands on a Citus cluster, beside the same commands on one PostgreSQL: the processor time of all processes.

`CITUS_URL` names the coordinator. All nodes run on this machine, where their processes can be read.
"""

import os
from collections.abc import Sequence
from contextlib import AsyncExitStack
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import psycopg

from benchmarks.commands import HOST, Games
from benchmarks.figures import Aim, Figure, Item, Measure, Taken, say_clients
from benchmarks.processes import our_server
from benchmarks.scale import Scale
from mcmulti.cli.bench import processors
from mcmulti.cli.bench.games import PreparedGame
from mcmulti.cli.bench.load import commanding, load, reading
from mcmulti.events.cluster.citus import distribute
from mcmulti.events.postgres.migrate import migrate
from mcmulti.server.database import embedded, opened_log
from tests.slow.cluster.nodes import Cluster, cluster_at

CLIENTS = (16, 64, 256)
URL = "CITUS_URL"
WARM_UP = 0.6
"""Seconds of commands before the clock starts, once the server knows all games and tokens."""
SHARDS = 8
"""Shards of the cluster, as the guide to clusters recommends for two workers."""
_TICK = os.sysconf("SC_CLK_TCK")


class CommandCost(NamedTuple):
    """What a command takes at the server, in all processes of the databases, and in both. And how many there were."""

    server: Figure
    databases: Figure
    together: Figure
    rate: Figure


def _cost(setup: str, clients: int) -> CommandCost:
    where = f"{setup}, {say_clients(clients)}"
    server, databases, together = (
        Figure(f"{where}: processor time of a command, {who}", "ms") for who in ("server", "databases", "together")
    )
    return CommandCost(server, databases, together, Figure(f"{where}: commands over HTTP", "commands/s"))


PLAIN = {clients: _cost("one PostgreSQL", clients) for clients in CLIENTS}
SPREAD = {clients: _cost("cluster", clients) for clients in CLIENTS}
AIMS = tuple(
    Aim(
        f"processor time of a command, {say_clients(clients)}: cluster / one PostgreSQL",
        SPREAD[clients].together,
        (PLAIN[clients].together,),
        "under",
        1.25,
    )
    for clients in CLIENTS
)


class Setup(NamedTuple):
    """A server on its database, with the first process of each PostgreSQL server."""

    port: int
    process: int
    postmasters: tuple[int, ...]
    games: Games


def _stat(process: int) -> list[str]:
    """What the kernel knows of a process, from its state on."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()


def _server(process: int) -> float:
    """Seconds of processor time of a server."""
    return processors.seconds([process])[process]


def _postmaster(url: str) -> int:
    """The first process of the PostgreSQL server at an address."""
    with psycopg.connect(url) as owner:
        return int(_stat(owner.info.backend_pid)[1])


def _postgres(postmaster: int) -> float:
    """Seconds of processor time of a PostgreSQL server, with all its processes."""
    ended = sum(map(int, _stat(postmaster)[13:15])) / _TICK
    return ended + sum(processors.seconds(processors.tree(postmaster)).values())


async def _introduced(setup: Setup, games: Sequence[PreparedGame]) -> None:
    """Show the server all tokens: it asks the database about each once an hour, which is not the cost of a command."""
    for tokens in zip(*(game.tokens for game in games), strict=True):
        await load(HOST, setup.port, [iter([reading("/v1/players/me", token)]) for token in tokens], WARM_UP)


def _commands(setup: Setup, cost: CommandCost, clients: int, scale: Scale) -> Measure:
    expected = 4000.0

    async def measure() -> Taken:
        nonlocal expected
        number = min(clients, scale.clients)
        games = await setup.games.fresh(number, int(expected * (scale.seconds + WARM_UP) * 3 / number) + 40)
        sent = [commanding(game) for game in games]
        await _introduced(setup, games)
        await load(HOST, setup.port, [islice(game, 1) for game in sent], WARM_UP)  # or early games would play far ahead
        await load(HOST, setup.port, sent, WARM_UP)
        before = _server(setup.process), sum(map(_postgres, setup.postmasters))
        done = await load(HOST, setup.port, sent, scale.seconds)
        after = _server(setup.process), sum(map(_postgres, setup.postmasters))
        expected = done.rate
        server, databases = ((then - now) * 1000 / done.answers for now, then in zip(before, after, strict=True))
        return dict(zip(cost, (server, databases, server + databases, done.rate), strict=True))

    return measure


async def _plain(exits: AsyncExitStack) -> Setup:
    folder = Path(exits.enter_context(TemporaryDirectory(prefix="mcmulti-benchmark-"))) / "data"
    conninfo = await exits.enter_async_context(embedded(folder))
    games = Games(await exits.enter_async_context(opened_log(conninfo)))
    return Setup(*exits.enter_context(our_server(folder)), (_postmaster(conninfo),), games)


async def _spread(exits: AsyncExitStack) -> Setup:
    cluster: Cluster = exits.enter_context(cluster_at(os.environ[URL]))
    await migrate(cluster.url(0))
    cluster.join(2)
    cluster.sql(0, f"ALTER DATABASE {cluster.name} SET citus.shard_count = {SHARDS}")
    await distribute(cluster.url(0))
    games = Games(await exits.enter_async_context(opened_log(cluster.url(1))))
    postmasters = tuple(_postmaster(cluster.url(node)) for node in (0, *cluster.joined))
    return Setup(*exits.enter_context(our_server(cluster.url(1))), postmasters, games)


async def _commands_on_both(scale: Scale, exits: AsyncExitStack) -> list[Measure]:
    plain, spread = await _plain(exits), await _spread(exits)
    return [
        _commands(setup, costs[clients], clients, scale)
        for clients in CLIENTS
        for setup, costs in ((plain, PLAIN), (spread, SPREAD))
    ]


ITEMS = (
    Item(
        "commands",
        _commands_on_both,
        tuple(figure for costs in (PLAIN, SPREAD) for cost in costs.values() for figure in cost),
        (URL,),
    ),
)
