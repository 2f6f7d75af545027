"""Every field of every event and command of a golden game is changed; `verify` finds each, hashed again or not.

What is stored around them, such as times and ids, is the same in every rule set: `tests/projections/test_mutations.py`.
"""

from collections.abc import Iterator
from copy import copy
from itertools import islice

import msgspec
import pytest

from mcmulti.events.envelope import START, Head, Recorded
from mcmulti.projections.proof import revealed_seed, verify
from mcmulti.projections.prover import Prover, by_command
from tests.changes import documents, with_field
from tests.golden.forging import rehashed
from tests.golden.games import FILES, load

GAME = load(next(file for file in FILES if file.stem == "millionenspiel-four-on-yellow"))
GROUPS = list(by_command(GAME))


def mutants(event: Recorded) -> Iterator[Recorded]:
    """The event with one value changed in what happened, or in its command."""
    for field in ("data", "command"):
        value = getattr(event, field)
        if value is not None:
            yield from (with_field(event, field, other) for other in documents(value) if other != value)


@pytest.mark.slow
def test_every_change_of_every_value_is_found_even_if_the_chain_is_hashed_again() -> None:
    """But for the first free seat: whether somebody who got it had asked for it no rule can tell."""
    prover = Prover(GAME[0], revealed_seed(GAME))
    unseen, number = set(), 0
    for group in GROUPS:
        before = copy(prover)
        assert prover.prove(group).fault is None
        for place, event in enumerate(group):
            for mutant in mutants(event):
                number += 1
                changed = [*group[:place], mutant, *group[place + 1 :]]
                head = Head(event.seq - place - 1, group[0].prev_hash) if group is not GROUPS[0] else START
                forged = rehashed(changed, head)
                if event.seq == 1 or event.type == "SeedRevealed":
                    log = [*GAME[: head.seq], *forged]
                    proof = verify([*log, *rehashed(GAME[log[-1].seq :], Head(log[-1].seq, log[-1].hash))])
                else:
                    proof = copy(before).prove(forged)
                if proof.fault is None:
                    unseen.add((event.type, msgspec.json.decode(mutant.command or b"null")["type"]))
    assert number > 20 * len(GAME)
    assert unseen == {("SeatTaken", "TakeSeat")}


def test_a_changed_stake_is_found_where_it_was_changed() -> None:
    """A vandal who leaves the hashes as they are."""
    placed = [event for event in GAME if event.type == "StakePlaced"]
    for event in islice(placed, 5):
        for mutant in mutants(event):
            proof = verify([*GAME[: event.seq - 1], mutant, *GAME[event.seq :]])
            assert proof.wrong == event.seq
