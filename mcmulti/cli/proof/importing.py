"""Import games that were played elsewhere."""

from pathlib import Path
from uuid import UUID

from mcmulti.cli.running import address_of
from mcmulti.events.log.codec import opened_with
from mcmulti.events.log.envelope import Head
from mcmulti.events.log.signing import is_signed
from mcmulti.events.ports.errors import Conflict
from mcmulti.events.ports.log import Log
from mcmulti.events.store.game_file import GameRecord
from mcmulti.events.store.standing import retraced, tenures
from mcmulti.projections.proof.proof import revealed_seed, verify
from mcmulti.server.database import opened_log


class ImportRefused(Exception):
    """Why a game is not imported."""


async def bring_in(record: GameRecord, database: Path | str) -> str:
    """Verify a game and import it into a database, or into a folder's. Returns a sentence about what was done.

    Raises `ImportRefused`, and `ServerError` if the database does not start.
    """
    seed = _proven(record)
    async with address_of(database, new=True) as address, opened_log(address) as log:
        return await _import_game(record, seed, log)


def _proven(record: GameRecord) -> bytes:
    """The seed of a game without faults."""
    file, proof = record.file, verify(record.events, record.file.seed)
    if proof.fault is not None:
        raise ImportRefused(f"{proof.fault}.")
    if file.signature is not None and not is_signed(file.key or "", file.signature, file.game, file.head):
        raise ImportRefused("its signature does not match its key and head.")
    seed = revealed_seed(record.events, None if file.seed is None else bytes.fromhex(file.seed))
    if seed is None:
        raise ImportRefused("the game is not finished. Without its seed, it can neither be proven nor continued.")
    return seed


async def _import_game(record: GameRecord, seed: bytes, log: Log) -> str:
    events = record.events
    game = events[0].game_id
    ruleset = opened_with(events[0])
    stands = retraced(ruleset, events)
    await log.keep_names({UUID(player): name for player, name in record.file.names.items()})
    try:
        played = tenures(ruleset, events)
        await log.create(game, ruleset.name, ruleset.version, stands, seed, events, tenures=played)
    except Conflict:
        held = (await log.game(game)).head
        if held != Head(events[-1].seq, events[-1].hash):
            raise ImportRefused(f"a different game {game} already exists, at event {held.seq}.") from None
        return f"Game {game} already exists, identical to the last byte."
    return f"Imported game {game}: {len(events):,} events."
