"""Record the example game again: the same commands, seed, and times, decided by today's rules.

Run as ``python -m tests.golden.example``, which `make golden` does. If the rules still lead to the same events, the
file stays as it is. Otherwise correct the hashes and sentences that the guides and the README print.
"""

from hashlib import sha256
from pathlib import Path

from mcmulti.domain.core.chance import SeededChance
from mcmulti.events.log.codec import draft
from mcmulti.events.log.envelope import START, Draft, Head, Recorded, seal
from mcmulti.events.log.signing import SigningKey
from mcmulti.events.store.game_file import GameRecord, lines, read, record_of
from mcmulti.projections.proof.deciding import answered, command_of, opened
from mcmulti.projections.proof.proof import verify
from mcmulti.projections.proof.prover import by_command, revealed_seed

FILE = Path(__file__).parents[2] / "examples" / "game.mcmulti.jsonl"
KEY = SigningKey(sha256(b"the example game of mcmulti").digest())
"""Everybody knows this key, so its signature is an example and vouches for nothing."""


def again(old: GameRecord) -> GameRecord:
    """The game with the same commands. Raises `Wrong` if the rules refuse one."""
    first, *rest = old.events
    seed = revealed_seed(old.events)
    if seed is None:
        raise ValueError("the game is not over")
    chance = SeededChance(seed, str(first.game_id))
    ruleset, decision = opened(first, chance)
    events = _sealed([], first, draft(decision.facts))
    for sent, *_ in by_command(rest):
        decision, drafts = answered(ruleset, decision.state, sent, command_of(ruleset, sent), chance)
        events += _sealed(events, sent, drafts)
    return record_of(events, KEY, old.file.names)


def _sealed(events: list[Recorded], sent: Recorded, drafts: list[Draft]) -> list[Recorded]:
    """The continuation of these events, at the recorded time."""
    head = Head(events[-1].seq, events[-1].hash) if events else START
    return seal(sent.game_id, head, drafts, sent.recorded_at)


def main() -> None:
    """Record the game again if today's rules no longer lead to it."""
    with FILE.open("rb") as file:
        old = read(file)
    if verify(old.events).fault is None:
        return
    new = again(old)
    assert verify(new.events).fault is None
    FILE.write_bytes(b"".join(lines(new)))
    print(f"{FILE.name}: {len(new.events)} events, head {new.file.hash}")


if __name__ == "__main__":
    main()
