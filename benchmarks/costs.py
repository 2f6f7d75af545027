"""What anonymous requests cost a server, and what a player notices while an address repeats the costliest of them."""

from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from benchmarks.anonymous import ASKS, Games, percentile_99, prepared, siege
from benchmarks.figures import Aim, Figure, Item, Measure, Taken
from benchmarks.processes import ProcessError, our_server
from benchmarks.scale import Scale
from mcmulti.api.app import application
from mcmulti.cli.bench.load import OPTIONS
from mcmulti.cli.commands.operator.serve import serve
from mcmulti.metering import Meter, Payer, begin, stepped
from mcmulti.server.database import embedded, opened_log
from tests.guard.counting import counted
from tests.guard.server import CountedLog

ONCE = tuple(operation for operation, ask in ASKS.items() if "/stream" not in ask.path)
"""Operations with a finite response."""
TIME = {operation: Figure(f"{operation}: processor time", "ms") for operation in ONCE}
STATEMENTS = {operation: Figure(f"{operation}: statements", "statements") for operation in ONCE}
BYTES = {operation: Figure(f"{operation}: response", "bytes") for operation in ONCE}
COSTS = tuple(figures[operation] for operation in ONCE for figures in (TIME, STATEMENTS, BYTES))
ALONE = Figure("an honest player, alone: p99", "ms")
BESIDE = Figure("an honest player, beside a hostile address: p99", "ms")
AIMS = (Aim("an honest player beside a hostile address: p99", BESIDE, (), "under", 250),)
ROUNDS = 5
"""Rounds of the honest player beside each operation: at least four requests each."""


async def _database(exits: AsyncExitStack) -> tuple[Path, str, Games]:
    """A folder with a running PostgreSQL, its address, and the games in it."""
    folder = Path(exits.enter_context(TemporaryDirectory(prefix="mcmulti-benchmark-"))) / "data"
    conninfo = await exits.enter_async_context(embedded(folder))
    async with opened_log(conninfo) as log:
        return folder, conninfo, await prepared(log)


async def _costs(scale: Scale, exits: AsyncExitStack) -> list[Measure]:
    _, conninfo, games = await _database(exits)
    log = await exits.enter_async_context(CountedLog.open(conninfo))
    await log.heads([])  # opens the connection for these queries
    app = application(log)
    meters: list[Meter] = []

    async def metered(*request: Any) -> None:
        meters.append(Meter(Payer("192.0.2.1", "192.0.2.1")))
        begin(meters[-1])
        await stepped(app(*request))

    transport = httpx.ASGITransport(metered)
    client = await exits.enter_async_context(httpx.AsyncClient(transport=transport, base_url="http://mcmulti"))
    rounds = iter(range(10**6))

    async def measure() -> Taken:
        number, found = next(rounds), {}
        for operation in ONCE:
            named = {"game": games.game, "post": games.post, "at": games.events - number, "name": number}
            request = ASKS[operation].request(client, "192.0.2.1", **named)
            app.state.service.referee.forget()
            responses: list[httpx.Response] = []

            async def send(request: httpx.Request = request, responses: list[httpx.Response] = responses) -> None:
                responses.append(await client.send(request))

            tally = await counted(send)
            (response,) = responses
            head = sum(len(name) + len(value) + 4 for name, value in response.headers.raw)
            found[TIME[operation]] = 1000 * meters[-1].seconds
            found[STATEMENTS[operation]] = tally.statements
            found[BYTES[operation]] = head + len(response.content)
        return found

    return [measure]


async def _siege(scale: Scale, exits: AsyncExitStack) -> list[Measure]:
    folder, _, games = await _database(exits)
    defaults = {option: parameter.default for parameter in serve.params for option in parameter.opts}
    limits = [word for option in OPTIONS.values() for word in (option, str(defaults[option]))]
    server = exits.enter_context(our_server(folder, *limits, "--trusted-proxy", "127.0.0.1", "--registrations", "off"))
    url = f"http://127.0.0.1:{server.port}"

    async def measure() -> Taken:
        taken = {}
        for figure, most in ((ALONE, 0), (BESIDE, 10**6)):
            found = await siege(url, games, most, ROUNDS, scale.seconds)
            if found.failures:
                raise ProcessError(f"an honest player was refused: {found.failures[0]}")
            taken[figure] = percentile_99(found.latencies)
        return taken

    return [measure]


ITEMS = (Item("costs", _costs, COSTS), Item("siege", _siege, (ALONE, BESIDE)))
