"""Schemathesis against a real server on a real Postgres."""

import asyncio
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from string import Template
from typing import Literal, NamedTuple
from uuid import UUID

from httpx import AsyncClient

from mcmulti.events.ports.accounts import Pending
from mcmulti.events.ports.notices import Webhook
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.server.database import migrated
from mcmulti.server.process import answering, bound
from tests.api.guests import Table

Part = Literal["all", "commands", "forecast", "others"]
LARGE = {"commands": "sendCommands", "forecast": "forecastOrders"}
"""Operations whose bodies have so many forms in all games that the coverage phase sends thousands of requests."""
LEAVING = 10
"""Players who announced that they erase themselves, and now can."""
TEMPLATE = Path(__file__).with_name("schemathesis.toml")


class Findings(NamedTuple):
    """The exit code of Schemathesis, and its output."""

    code: int
    said: str


async def fuzz(
    database: str, folder: Path, seed: int, examples: int, part: Part = "all", ruleset: str = "mcmulti"
) -> Findings:
    """Test every operation with this many examples, and with as many journeys along the links.

    The configuration is put into `folder`. A large operation is a part of its own, with the document of a rule set and
    games of it. The part "others" is everything but the coverage of those.
    """
    options, narrowed = ["--phases=examples,coverage,fuzzing,stateful"], ""
    if part in LARGE:
        options = ["--phases=examples,coverage,fuzzing", f"--include-operation-id={LARGE[part]}"]
        narrowed = f"?ruleset={ruleset}"
    with bound("127.0.0.1", 0) as listener:
        await migrated(database)
        async with PostgresLog.open(database) as log, answering(log, listener, makes_reviews=True) as address:
            async with AsyncClient(base_url=address) as client:
                table = Table(client, log)
                first = table.market_phase() if ruleset == "mcmulti" else table.start(4, ruleset=ruleset)
                game, postal = await first, await table.start(4, ruleset="postal")
                for guest in table.guests[-4:]:
                    await guest.send(postal, {"type": "SubmitOrders", "round": 1, "sheet": {}})
                waiting = {"ruleset": "mcmulti", "setup": {"seats": 4}}
                open_table = (await table.guests[1].post("/v1/games", json=waiting)).json()["game"]
                ended = await table.start(2)
                resigned = await table.guests[1].send(ended, {"type": "Resign"})
                assert resigned.status_code == 200, resigned.text
                spare = (await table.guest("Spare")).token
                leaving = [await table.guest(f"Leaving {number}") for number in range(LEAVING)]
                for guest in leaving:
                    them = (await guest.get("/v1/players/me")).json()
                    due = Pending("erase", UUID(them["token"]["id"]), datetime.now(UTC))
                    await log.announce(UUID(them["player"]), due)
                me = (await table.guests[0].get("/v1/players/me")).json()
            webhook, removed = (UUID(int=number, version=4) for number in (1, 2))
            for each in (webhook, removed):
                now, player, url = datetime.now(UTC), UUID(me["player"]), "https://example.org/"
                await log.add_webhook(Webhook(each, player, url, "standard", ("game.turn",), "en", bytes(32), now), 2)
            config = folder / TEMPLATE.name
            values = {
                "token": table.guests[0].token,
                "game": game,
                "postal": postal,
                "ended": ended,
                "open": open_table,
            }
            values["webhook"] = str(webhook)
            values["large"] = str(part != "others").lower()
            config.write_text(Template(TEMPLATE.read_text()).substitute(values))
            schemathesis = await asyncio.create_subprocess_exec(
                Path(sys.executable).with_name("schemathesis"),
                f"--config-file={config}",
                "run",
                f"{address}/openapi.json{narrowed}",
                "--checks=all",
                *options,
                f"--seed={seed}",
                f"--max-examples={examples}",
                "--generation-database=none",
                "--no-color",
                cwd=TEMPLATE.parents[2],
                env={
                    **os.environ,
                    "PYTHONPATH": str(TEMPLATE.parents[2]),
                    "OWN_TOKEN": me["token"]["id"],
                    "TOKEN": table.guests[0].token,
                    "SPARE_TOKEN": spare,
                    "LEAVING": ",".join(guest.token for guest in leaving),
                    "WEBHOOK": str(webhook),
                    "SPARE_WEBHOOK": str(removed),
                    **({"EVERY_PLACE": "1"} if part == "all" else {}),
                },
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
            )
            try:
                said, _ = await schemathesis.communicate()
            finally:
                if schemathesis.returncode is None:
                    schemathesis.kill()
    return Findings(await schemathesis.wait(), said.decode())
