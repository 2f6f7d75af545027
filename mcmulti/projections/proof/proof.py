"""The proof: the log is untampered, the dice are those of the seed, and the rules were kept.

It trusts nothing but the events themselves. In one pass, each event is hashed over the one before it; every command is
decided again, and the result must be the recorded events, byte for byte; they are folded, and what each player has must
match the books.

Once the seed is revealed, commands are decided with the dice that follow from it. Before, they are decided with the
dice as recorded: the rules were kept, given these dice, but nobody can know yet whether the dice are honest.
"""

from collections.abc import Sequence
from typing import NamedTuple

from mcmulti.events.log.envelope import Recorded
from mcmulti.projections.proof.prover import Proof, Prover, revealed_seed

__all__ = ["Claim", "Proof", "claims", "revealed_seed", "verify"]


class Claim(NamedTuple):
    """A claim of the proof, as a phrase, and whether it holds; None if that is not known yet."""

    holds: bool | None
    what: str


def claims(proof: Proof) -> tuple[Claim, ...]:
    """The claims of a proof, one by one."""
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


def verify(events: Sequence[Recorded], beside: str | None = None) -> Proof:
    """Verify a game's log, from its first event on. Returns a proof for any log, however broken.

    `beside`: the seed, in hexadecimal, if it was revealed beside the log, as for tables of a series.
    """
    if not events:
        return Proof(0, 0, 0, seed_revealed=False, fault="the log is empty")
    seed = revealed_seed(events, None if beside is None else bytes.fromhex(beside))
    if beside is not None and seed != bytes.fromhex(beside):
        fault = "the seed in the file does not match the commitment in event 1"
        return Proof(0, 0, 0, seed_revealed=False, fault=fault)
    return Prover(events[0], seed).prove(events)
