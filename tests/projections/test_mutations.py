"""Fields of events of a golden game of each rule set are changed. `verify` finds each change and names the event.

First as a vandal would do it, who changes what is stored. Then as a forger, who hashes the chain again after the
change: now the rules themselves must reveal it. A signed head reveals what no rule can. Here this is tested for a few
events of each kind, in tests/slow/projections for every event.
"""

from datetime import timedelta

import pytest

from mcmulti.domain.rulesets import SHIPPED
from mcmulti.events.log.envelope import Head, sealed
from mcmulti.events.log.signing import is_signed
from mcmulti.projections.proof.proof import verify
from tests.golden.forging import rehashed
from tests.projections.mutants import FEW, KEY, OTHER, check_every_change, check_every_forgery, subject

every = pytest.mark.parametrize("name", SHIPPED)


@every
def test_a_change_of_any_field_is_found_and_the_event_is_named(name: str) -> None:
    check_every_change(subject(name, FEW))


@every
def test_a_forger_who_hashes_the_chain_again_is_found_by_the_rules_or_by_the_signed_head(name: str) -> None:
    check_every_forgery(subject(name, FEW))


@every
def test_to_follow_from_a_command_on_finds_what_following_from_the_start_finds(name: str) -> None:
    """Every 1000th change, the long way."""
    game = subject(name, FEW)
    for number, mutant in enumerate(game.mutants()):
        if number % 1000 == 0:
            log = [*game.events[: mutant.place], mutant.event, *game.events[mutant.place + 1 :]]
            short, long = game.proof_of(mutant, forged=False), verify(log)
            assert (short.wrong, short.fault) == (long.wrong, long.fault)


@every
def test_a_whole_command_with_another_time_and_id_is_found_by_the_signed_head_alone(name: str) -> None:
    """Whoever runs the server can date a command freely, until somebody has or has seen a signed head."""
    game = subject(name, FEW)
    signature = KEY.sign(game.events[0].game_id, Head(game.events[-1].seq, game.events[-1].hash))
    number = next(number for number, group in enumerate(game.groups) if len(group) > 2)
    again = [
        event._replace(command_id=OTHER, recorded_at=event.recorded_at + timedelta(seconds=1))
        for event in game.groups[number]
    ]
    start = game.starts[number]
    forged = rehashed([*game.events[:start], *again, *game.events[start + len(again) :]])
    assert verify(forged).fault is None
    assert not is_signed(KEY.public, signature, game.events[0].game_id, Head(forged[-1].seq, forged[-1].hash))


@every
def test_nothing_is_sealed_in_a_game_that_is_over(name: str) -> None:
    """A vandal who hides the data of an event, and leaves the digest that the chain uses, is found."""
    game = subject(name, FEW)
    for place, event in enumerate(game.events):
        start = game.starts[game.command_of[place]]
        proof = game.proven(place, [*game.events[start:place], sealed(event), *game.events[place + 1 :]])
        assert proof.wrong == event.seq
        assert proof.fault is not None
