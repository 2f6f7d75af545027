"""A planted blunder is found over HTTP, by a server with its own process for reviews."""

from uuid import uuid4

import httpx

from mcmulti.api.admission.gate import Admission
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.game_index import Access, TableRow
from mcmulti.server.children import reviews
from mcmulti.server.process import answering, bound
from tests.golden.games import seed_of
from tests.pure.evaluation.blunder import game_with_a_blunder


async def test_a_planted_blunder_is_found_over_http() -> None:
    record, culprit, seq = game_with_a_blunder(seed=1)
    log, events = MemoryLog(), record.events
    game, rules = events[0].game_id, record.state().game
    await log.create(
        game, rules.name, rules.version, TableRow("finished"), seed_of(list(events)), events, None, Access()
    )
    with bound("127.0.0.1", 0) as listener:
        async with (
            answering(log, listener, Admission(), makes_reviews=True) as address,
            reviews.reviewing(log, 1, reviews.ReviewCounts()),
            httpx.AsyncClient(base_url=address, timeout=600) as client,
        ):
            registered = (await client.post("/v1/players", json={"name": f"Ann {uuid4().hex[:8]}"})).json()
            client.headers["Authorization"] = f"Bearer {registered['token']}"
            asked = await client.post(f"/v1/games/{game}/review", json={"seconds": 15})
            assert asked.status_code == 200, asked.text
            followed = await client.get(f"/v1/games/{game}/review", headers={"Accept": "application/x-ndjson"})
            assert '"state":"done"' in followed.text.splitlines()[-1]
            read = await client.get(f"/v1/games/{game}/review")
            assert read.status_code == 200, read.text
            found = read.json()["review"]
    costly = sorted((move for move in found["moves"] if move["cost"]), key=lambda move: -move["cost"]["value"])[:6]
    [blunder] = [move for move in costly if move["seq"] == seq]  # the bots blunder in this game, too
    assert (blunder["player"], blunder["better"].startswith("Declare victory")) == (culprit, True)
    assert blunder["cost"]["value"] > max(0.1, 3 * blunder["cost"]["error"])
