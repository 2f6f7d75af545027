"""A hostile address sends the costliest request of every operation without a token.

It is refused, and nobody else is.
"""

from pathlib import Path

from benchmarks.anonymous import ASKS, percentile_99, prepared, siege
from mcmulti.api.app import ROUTES
from mcmulti.events.postgres.log import PostgresLog
from tests.cli.command import running

MOST = 80
"""The requests that an address may send in an hour. What costs too little for its budget ends here."""
ROUNDS = 3
"""How often the honest player acts beside each operation."""
LIMITS = {
    "--processor-time": "100/hour",
    "--rate-limit": f"{MOST - 20}/hour",
    "--registrations": "50/hour",
    "--trusted-proxy": "127.0.0.1",
}
ANSWERS = {"registerPlayer": 201, "getPlayer": 404, "getSeries": 404, "confirmEmail": 404, "unsubscribeEmail": 404}
"""Expected statuses. Nobody has the player ids that are requested, and no link has these tokens."""
HEALTH = ("isAlive", "isReady")
"""Requests of monitors, which are never refused below a hundred per second."""


def test_every_operation_without_a_token_is_asked() -> None:
    open_to_all = {route.opt["operation"].id for route in ROUTES if route.opt["operation"].auth != "required"}
    assert set(ASKS) == open_to_all


async def test_a_hostile_address_is_refused_and_honest_players_are_not(database: str, tmp_path: Path) -> None:
    """An hour's budget is soon used up, however slow the machine is, and a player needs a quarter of it."""
    async with PostgresLog.open(database) as log:
        games = await prepared(log)
    limits = [word for option in LIMITS.items() for word in option]
    with running("serve", "--port", "0", *limits, temporary=tmp_path, DATABASE_URL=database) as server:
        found = await siege(server.line("Serving at "), games, MOST, ROUNDS, 3600)
        assert server.interrupt() == 0
        assert "Traceback" not in server.said
    assert found.failures == []
    for operation in ASKS:
        statuses = found.hostile[operation]
        assert (429 in statuses) == (operation not in HEALTH), (operation, statuses)
        assert {*statuses} - {429} == {ANSWERS.get(operation, 200)}, (operation, statuses)
    print(f"p99 of {len(found.latencies)} honest requests: {percentile_99(found.latencies):.0f} ms; by operation:")
    for operation, latencies in found.beside().items():
        assert len(latencies) == 2 + 4 * ROUNDS
        print(f"{operation}: {percentile_99(latencies):.0f} ms beside {dict(found.hostile[operation])}")
