"""The proof: that the log was not tampered with, that the dice are those of the seed, and that the rules were kept.

It trusts nothing but the events themselves. One pass: each event is hashed over the one before it; every command is
decided again, and what is decided must be the recorded events, byte for byte; they are folded, and what each player
has must be what the books say.

Once the seed is revealed, commands are decided with the dice that follow from it. Before, they are decided with the
dice as recorded: the rules were kept, given these dice, but nobody can say yet whether the dice are honest.
"""

from collections.abc import Sequence
from typing import NamedTuple

from mcmulti.events.log.envelope import Recorded
from mcmulti.projections.proof.prover import Proof, Prover, revealed_seed

__all__ = ["Claim", "Proof", "claims", "revealed_seed", "verify"]


class Claim(NamedTuple):
    """Something that a proof is about, in a phrase, and whether it holds; None if nobody can tell yet."""

    holds: bool | None
    what: str


def claims(proof: Proof) -> tuple[Claim, ...]:
    """What a proof says, one by one."""
    sound = proof.fault is None
    dice: bool | None = sound
    drawn = "drawn again from the revealed seed"
    if sound and not proof.seed_revealed:
        dice, drawn = None, "taken as recorded, because the seed is not revealed yet"
    found = (
        Claim(sound, f"{proof.events:,} events, each hashed over the one before it"),
        Claim(sound, f"{proof.commands:,} commands, decided again by the rules with the same events"),
        Claim(dice, f"{proof.draws:,} dice and cards, {drawn}"),
        Claim(sound, "holdings of all players match the books after every event"),
    )
    if not sound or proof.sealed is None:
        return found
    return (
        *found,
        Claim(None, f"from event {proof.sealed:,} on only by hashes and books, because it is sealed"),
    )


def verify(events: Sequence[Recorded]) -> Proof:
    """Prove a game's log, from its first event on. Whatever the log holds, this answers."""
    if not events:
        return Proof(0, 0, 0, seed_revealed=False, fault="the log is empty")
    return Prover(events[0], revealed_seed(events)).prove(events)
