"""Hidden information is in no response: every address of a game, for every seat and for spectators."""

import base64
from itertools import product
from uuid import UUID

import msgspec

from tests.api.guests import Table
from tests.api.readings import SEATED, moments, read, readings
from tests.api.stream_server import finished_game

READERS = ("Ada", "Ben", "Eve", "nobody")
"""Ada and Ben sit at the table, Eve is registered, nobody has no token."""

ROUNDS = "/v1/games/{game}/rounds"
"""This game has none."""


def holds(content: bytes, seed: bytes) -> bool:
    """Whether the content contains the seed, in any notation."""
    forms = (seed, seed.hex().encode(), base64.b64encode(seed)[:-1], base64.urlsafe_b64encode(seed)[:-1])
    return any(form.lower() in content.lower() for form in forms)


async def test_the_seed_is_in_no_answer_before_it_is_revealed(table: Table) -> None:
    """It would reveal all future dice."""
    game = await table.market_phase()
    await table.guest("Eve")
    seq = (await table.guests[0].send(game, {"type": "RollDice"})).json()["seq"]
    seed = await table.log.secret(UUID(game))
    read_at_all = 0
    for (path, media_type), reader in product(readings(), READERS):
        for moment in moments(path, seq):
            status, content = await read(table, path.replace("{game}", game) + moment, media_type, reader)
            if path in SEATED and reader not in ("Ada", "Ben"):
                assert status in (401, 403)
                continue
            if path.startswith(ROUNDS):
                assert status == 404
                continue
            if path.endswith("/review"):
                assert (status, holds(content, seed)) == (409, False)
                continue
            assert status == 200, (path, media_type, reader, content)
            assert not holds(content, seed), (path, media_type, reader)
            read_at_all += 1
    assert read_at_all >= 4 * 10


async def test_the_seed_is_in_the_log_once_it_is_revealed(table: Table) -> None:
    """To show that the test above could find it: the last event of a finished game reveals the seed."""
    game = await finished_game(table.log)
    last = (await table.log.read(game))[-1]
    seed = bytes.fromhex(msgspec.json.decode(last.data)["seed"])
    _, content = await read(table, f"/v1/games/{game}/events?after={last.seq - 1}", "application/json", "nobody")
    assert holds(content, seed)
    _, earlier = await read(table, f"/v1/games/{game}?at={last.seq - 1}", "application/json", "nobody")
    assert not holds(earlier, seed)
