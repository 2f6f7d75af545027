"""Every field of every event of a random game is changed, one at a time, and hashed again; `verify` finds each."""

from collections.abc import Iterator
from copy import copy
from typing import Any
from uuid import UUID

import msgspec
import pytest

from mcmulti.domain.marracash import RULESET
from mcmulti.domain.marracash.state import MarraCashSetup
from mcmulti.events.envelope import START, Head
from mcmulti.projections.proof import revealed_seed, verify
from mcmulti.projections.prover import Prover, by_command
from mcmulti.simulation import play
from tests.games import record
from tests.golden.forging import rehashed

STEPS = list(play(RULESET, MarraCashSetup(seats=3), 1))
GAME = record(UUID(STEPS[0].state.game_id), STEPS)


def _others(value: Any) -> Iterator[Any]:
    """The value with one thing in it changed."""
    match value:
        case dict():
            for key, member in value.items():
                if key != "type":
                    yield from ({**value, key: other} for other in _others(member))
                    yield {name: kept for name, kept in value.items() if name != key}
            yield {**value, "more": 1}
        case list():
            for place, member in enumerate(value):
                yield from ([*value[:place], other, *value[place + 1 :]] for other in _others(member))
            yield value[1:]
            yield [*value, value[-1] if value else 0]
        case bool():
            yield not value
        case int():
            yield from (value + 1, value - 1, None)
        case str():
            yield from (f"{value}x", None)
        case None:
            yield 0


def test_the_game_is_proven_as_it_is() -> None:
    assert verify(GAME).fault is None


@pytest.mark.slow
def test_every_change_of_every_field_of_every_event_is_found_though_the_chain_is_hashed_again() -> None:
    prover, start, kinds, number = Prover(GAME[0], revealed_seed(GAME)), 0, set(), 0
    for group in by_command(GAME):
        for place, event in enumerate(group):
            for other in _others(msgspec.json.decode(event.data)):
                forged = [*group[:place], event._replace(data=msgspec.json.encode(other)), *group[place + 1 :]]
                if start == 0 or event.type == "SeedRevealed":  # the whole game hangs on it
                    proof = verify(rehashed([*GAME[:start], *forged, *GAME[start + len(group) :]], START))
                else:
                    proof = copy(prover).prove(rehashed(forged, Head(start, GAME[start - 1].hash)))
                assert proof.fault is not None, (event, other)
                number += 1
                kinds.add(event.type)
        assert prover.prove(group).fault is None
        start += len(group)
    assert kinds >= {kind.__name__ for kind in RULESET.events} - {"SeatLeft", "ActionsLapsed"}
    assert number > 5 * len(GAME)
