"""Following the guide to merging installations merges them."""

import os
import sys
from pathlib import Path
from uuid import UUID

from mcmulti.domain.mcmulti import RULESET
from mcmulti.events.embedded.server import EmbeddedPostgres
from mcmulti.events.ports.accounts import Player, first_token
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.store.standing import retraced, tenures
from tests.api.owner import Owner
from tests.cli.proving import address_of
from tests.conftest import new_database
from tests.docs.manual import page
from tests.docs.transcript import as_printed, commands, run
from tests.golden.games import FILES, load, seed_of

GUIDE = page("how-to/merge-installations")


async def test_the_guide_merges_two_installations(postgres: EmbeddedPostgres, migrated: str, tmp_path: Path) -> None:
    over, whole = (load(next(file for file in FILES if file.stem == name)) for name in ("two-players", "long-game"))
    going_on = whole[: next(seq for seq in range(100, len(whole)) if whole[seq].command is not None)]
    with new_database(postgres, migrated) as one, new_database(postgres, migrated) as other:
        old, new = (postgres.url(database=name) for name in (one, other))
        for number, database in enumerate((old, new)):
            async with PostgresLog.open(database, pool_size=1) as log:
                ada = Player(UUID(int=number + 1), "Ada")
                await log.add_player(ada, first_token(over[0].recorded_at), bytes([number]) * 32)
            Owner(database).do("UPDATE heartbeat SET at = now() - interval '1 hour'")
        async with PostgresLog.open(old, pool_size=1) as log:
            for events, seed in ((over, seed_of(over)), (going_on, seed_of(whole))):
                stands, played = retraced(RULESET, events), tenures(RULESET, events)
                made = RULESET.name, RULESET.version, stands, seed, events
                await log.create(events[0].game_id, *made, tenures=played)
        environment = {
            **os.environ,
            "OLD_URL": address_of(old),
            "URL": address_of(new),
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        }
        transcript = commands(GUIDE)
        assert len(transcript) == 3
        for command, output in zip(transcript, run(transcript, tmp_path, environment), strict=True):
            assert as_printed(command.prints, output), output
        async with PostgresLog.open(new, pool_size=1) as log:
            assert await log.read(going_on[0].game_id) == going_on
