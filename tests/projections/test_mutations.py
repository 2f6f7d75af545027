"""Every field of every event of a golden game is changed, one at a time; `verify` finds each and names the event.

First as a vandal would do it, who changes what is stored. Then as a forger, who hashes the chain again behind the
change: now the rules themselves have to tell. What no rule can tell is found by a signed head.
"""

from collections.abc import Iterator
from copy import copy
from datetime import timedelta
from functools import cache
from itertools import count
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
import pytest

from mcmulti.events.envelope import START, Head, Recorded, sealed
from mcmulti.events.signing import SigningKey, is_signed
from mcmulti.projections.proof import Proof, revealed_seed, verify
from mcmulti.projections.prover import Prover, by_command
from tests.changes import documents, with_field
from tests.golden.forging import rehashed
from tests.golden.games import FILES, load

GAME = load(next(file for file in FILES if file.stem == "two-players"))
GROUPS = list(by_command(GAME))
OTHER = UUID(int=0xC0FFEE)
KEY = SigningKey(bytes(range(32)))
SIGNED = Head(GAME[-1].seq, GAME[-1].hash)
SIGNATURE = KEY.sign(GAME[0].game_id, SIGNED)
UNSEEN = {"recorded_at", "command_id", "GameOpened.setup.fewer_seats", "TakeSeat.seat"}
"""What the rules say nothing of: when a command came, and by which id its sender named it; whether the game might
have begun with seats free, which it did not; and whether somebody who got the first free seat had asked for it.
"""


class Mutant(NamedTuple):
    """The event at `place`, counted from 0, with its `field` changed."""

    place: int
    field: str
    event: Recorded


def mutants() -> Iterator[Mutant]:
    """Every change of every field of every event, and of every value in its data and its command."""
    for index, event in enumerate(GAME):
        for field in Recorded._fields:
            for value in changed(field, getattr(event, field)):
                if value != getattr(event, field):
                    yield Mutant(index, field, with_field(event, field, value))


def changed(field: str, value: Any) -> list[Any]:
    """Other values of a field."""
    match field:
        case "data":
            return [*documents(value), value + b" ", b"null", b"", b"\xff"]
        case "command":
            return [b'{"type":"EndTurn"}'] if value is None else [*documents(value), value + b" ", b"[]", None]
        case "seq":
            return [value + 1, value - 1]
        case "actor":
            return [0, 1] if value is None else [value + 1, None]
        case "command_id":
            return [OTHER] if value is None else [OTHER, None]
        case "recorded_at":
            return [value + timedelta(microseconds=1), value - timedelta(days=1)]
        case "prev_hash" | "hash":
            return [bytes([value[0] ^ 1]) + value[1:], bytes(32)]
        case "game_id":
            return [OTHER]
        case "payload":
            return [bytes(32)]
    return [value + "x", "TurnBegan" if value != "TurnBegan" else "DiceRolled"]


def path(mutant: Mutant) -> str:
    """What was changed."""
    if mutant.field not in ("data", "command"):
        return mutant.field
    before, after = (msgspec.json.decode(getattr(event, mutant.field)) for event in (GAME[mutant.place], mutant.event))
    place = str(before["type"])
    while isinstance(before, dict):
        (key,) = (key for key in before if before[key] != after[key])
        place, before, after = f"{place}.{key}", before[key], after[key]
    return place


@cache
def proven_until() -> list[Prover]:
    """For each command of the game, a prover that has followed all before it: what comes before is proven once."""
    prover = Prover(GAME[0], revealed_seed(GAME))
    found = []
    for group in GROUPS:
        found.append(copy(prover))
        assert prover.prove(group).fault is None
    return found


COMMAND_OF = [number for number, group in enumerate(GROUPS) for _ in group]
"""The number of the command that an event follows from, by index."""
STARTS = [group[0].seq - 1 for group in GROUPS]
"""Where a command's events begin, by index."""


def proof_of(mutant: Mutant, forged: bool, commands: int = 2) -> Proof:
    """What `verify` says of the game with the change, looking at so many commands from the change on.

    Nothing may be missing at the end of these: the log that is looked at ends with the events of a command.
    """
    number = COMMAND_OF[mutant.place]
    start = STARTS[number]
    goes_on = mutant.place > 0 and number + commands < len(STARTS)
    end = STARTS[number + commands] if goes_on else len(GAME)
    log = [*GAME[start : mutant.place], mutant.event, *GAME[mutant.place + 1 : end]]
    if forged:
        log = rehashed(log, Head(start, GAME[start - 1].hash) if start else START)
    if mutant.place == 0 or GAME[mutant.place].type == "SeedRevealed":
        return verify([*GAME[:start], *log])  # the seed itself is in question
    return copy(proven_until()[number]).prove(log)


@pytest.mark.slow
def test_every_change_of_every_field_is_found_and_the_event_is_named() -> None:
    number = 0
    for number, mutant in enumerate(mutants(), start=1):  # noqa: B007
        proof = proof_of(mutant, forged=False)
        seq = mutant.place + 1
        assert proof.wrong == seq, (mutant, proof)
        assert proof.fault is not None
        assert f"event {seq} " in proof.fault
    assert number > 20 * len(GAME)


@pytest.mark.slow
def test_a_forger_who_hashes_the_chain_again_is_found_by_the_rules_or_by_the_signed_head() -> None:
    """The event named is the changed one, or the next one where that is the first to disagree with it.

    Of what the rules say nothing of, every hundredth change is followed to the head.
    """
    unseen, number = set(), count()
    for mutant in mutants():
        if mutant.field in ("hash", "prev_hash", "payload"):
            continue  # the forger makes the hashes anew; what is sealed is found below
        proof = proof_of(mutant, forged=True)
        if proof.fault is not None:
            assert proof.wrong is not None
            assert proof.wrong - mutant.place in (1, 2) or mutant.place == 0, (mutant, proof)
            continue
        unseen.add(path(mutant))
        assert len(GROUPS[COMMAND_OF[mutant.place]]) == 1, mutant
        start = STARTS[COMMAND_OF[mutant.place]]
        before = Head(start, GAME[start - 1].hash) if start else START
        rest = GAME[mutant.place + 1 :] if next(number) % 100 == 0 else []
        forged = rehashed([*GAME[start : mutant.place], mutant.event, *rest], before)
        assert forged[mutant.place - start].hash != GAME[mutant.place].hash, "it is another log from here on"
        if rest:
            head = Head(forged[-1].seq, forged[-1].hash)
            assert not is_signed(KEY.public, SIGNATURE, GAME[0].game_id, head)
    assert unseen == UNSEEN
    assert is_signed(KEY.public, SIGNATURE, GAME[0].game_id, SIGNED)


@pytest.mark.slow
def test_to_follow_from_a_command_on_finds_what_following_from_the_start_finds() -> None:
    """Every 500th change, the long way."""
    for number, mutant in enumerate(mutants()):
        if number % 500 == 0:
            log = [*GAME[: mutant.place], mutant.event, *GAME[mutant.place + 1 :]]
            short, long = proof_of(mutant, forged=False), verify(log)
            assert (short.wrong, short.fault) == (long.wrong, long.fault)


def test_a_whole_command_with_another_time_and_id_is_found_by_the_signed_head_alone() -> None:
    """Who runs the server can date a command as it likes, until somebody has a signed head, or has seen one."""
    number = next(number for number, group in enumerate(GROUPS) if len(group) > 2)
    again = [
        event._replace(command_id=OTHER, recorded_at=event.recorded_at + timedelta(seconds=1))
        for event in GROUPS[number]
    ]
    start = STARTS[number]
    forged = rehashed([*GAME[:start], *again, *GAME[start + len(again) :]])
    assert verify(forged).fault is None
    assert not is_signed(KEY.public, SIGNATURE, GAME[0].game_id, Head(forged[-1].seq, forged[-1].hash))


def test_nothing_is_sealed_in_a_game_that_is_over() -> None:
    """A vandal who hides what an event says, and leaves the digest from which the chain follows, is found."""
    for place, event in enumerate(GAME):
        number = COMMAND_OF[place]
        log = [*GAME[STARTS[number] : place], sealed(event), *GAME[place + 1 :]]
        if place == 0 or event.type == "SeedRevealed":
            proof = verify([*GAME[: STARTS[number]], *log])  # the seed itself is in question
        else:
            proof = copy(proven_until()[number]).prove(log)
        assert proof.wrong == event.seq
        assert proof.fault is not None
