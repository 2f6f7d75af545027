"""Rule sets as numbers without code of their own: from their views and from their offers."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from mcmulti.domain.core.capabilities.rounds import orders_of
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.offers import Choice, Offer, Range, Rejection, TextChoice
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.rulesets import CURRENT
from mcmulti.library.steps import set_up
from mcmulti.simulation import play
from mcmulti.training.actions import ActionSpace
from mcmulti.training.encoders.generic import SLOTS, Slots, subject_of
from mcmulti.training.layout import SeatLayout
from tests.toy import fair, fair_2, race

GAMES = {
    **{name: ruleset for name, ruleset in CURRENT.items() if orders_of(ruleset) is None},
    "wool_fair": fair.RULESET,
    "wool_fair_2": fair_2.RULESET,
    "dice_race": race.RULESET,
}
"""All but the game by post, whose sheets must be written."""


def moments(ruleset: Ruleset[Any], seed: int, most: int = 150) -> Iterator[Any]:
    """States of a random game, each with a seat to move."""
    for step, _ in zip(play(ruleset, ruleset.setup(), seed), range(most), strict=False):
        if ruleset.status(step.state) == "running":
            yield step.state


@pytest.mark.parametrize("name", GAMES)
def test_an_action_is_legal_if_and_only_if_its_mask_says_so(name: str) -> None:
    ruleset, random = GAMES[name], Random(2)
    actions = ActionSpace(subject_of(ruleset).families)
    for state in moments(ruleset, 3):
        seat = ruleset.to_move(state)[0]
        offers = ruleset.offers(state, seat)
        mask = actions.mask(offers, 0)
        assert mask.any(), "somebody is asked who can do nothing"
        legal = mask.nonzero()[0].tolist()
        for action in (*random.sample(legal, min(5, len(legal))), *random.choices(range(actions.size), k=10)):
            taken = actions.taken(action, offers, 0)
            assert bool(mask[action]) is (taken is not None)
            assert taken is None or not isinstance(ruleset.admit(state, seat, taken[0]), Rejection)


@pytest.mark.parametrize("name", GAMES)
def test_what_a_seat_sees_stays_within_its_space_and_changes(name: str) -> None:
    ruleset = GAMES[name]
    seats = ruleset.setup().seats  # type: ignore[attr-defined]
    layout = SeatLayout(subject_of(ruleset).parts(seats))
    seen = set()
    for state in moments(ruleset, 4):
        for seat in range(seats):
            vector = layout.observed(state, seat)
            assert layout.space().contains(vector)
            seen.add(vector.tobytes())
    assert len(seen) > 20


def _raced(*moves: Command) -> Any:
    """The state of a race of three after these moves. A four is thrown."""
    chance = SeededChance(bytes(32), "a game")
    *_, latest = set_up(race.RULESET, race.Setup(seats=3, goal=24), "a game", chance)
    state = latest.state
    for move in moves:
        seat = state.at_turn
        offer = race.RULESET.admit(state, seat, move)
        assert isinstance(offer, Offer)
        state = race.RULESET.carry_out(state, seat, move, offer, chance).state
    return state


def test_a_race_as_numbers_by_hand() -> None:
    """Seat 0 walked to 2. It is the turn of seat 1, who sees itself first, then seat 2, then seat 0.

    A goal of 24, between 5 and 100, is 19 / 95 = 0.2. A position of 2 is 0.02 in hundredths, and log2(3) / 31 = 0.0511.
    """
    layout = SeatLayout(subject_of(race.RULESET).parts(3))
    seen = layout.observed(_raced(race.Walk()), 1)
    assert {part.name: part.size for _, part in layout} == {
        "status": 3,
        "to_move": 3,
        "setup": 1,
        "winners": 3,
        "at": 6,
    }
    assert layout.part(seen, "status").tolist() == [0, 0, 1]  # finished, open, running
    assert layout.part(seen, "to_move").tolist() == [1, 0, 0]
    assert layout.part(seen, "setup") == pytest.approx(0.2)
    assert layout.part(seen, "at") == pytest.approx([0, 0, 0, 0, 0.02, 0.0511], abs=1e-4)


def test_actions_of_a_race_are_its_commands() -> None:
    actions = ActionSpace(subject_of(race.RULESET).families)
    offers = race.RULESET.offers(_raced(), 0)
    assert [type(actions.taken(number, offers, 0)[0]) for number in (0, 1)] == [race.Walk, race.Throw]  # type: ignore[index]
    assert actions.mask(offers, 0).tolist() == [1, 1]
    assert actions.mask((), 0).tolist() == [0, 0]


def test_slots_are_what_is_offered_in_order() -> None:
    """Of two offers: 2 × 2 commands, then one. There is no sixth."""

    class Trade(Command, frozen=True):
        good: str
        number: int

    family = Slots(Trade)
    offers = (
        Offer("Trade", "x/y", {"good": TextChoice(("wool", "tin")), "number": Range(1, 2, "x")}),
        Offer("Trade", "x/y", {"good": TextChoice(("salt",)), "number": Range(5, 5, "x")}),
    )
    commands = [family.command_for(index, offers, 0) for index in range(SLOTS)]
    assert commands[:5] == [Trade("wool", 1), Trade("wool", 2), Trade("tin", 1), Trade("tin", 2), Trade("salt", 5)]
    assert set(commands[5:]) == {None}
    assert list(family.legal(offers, 0)) == [0, 1, 2, 3, 4]
    many = (replace(offers[0], fields={"good": TextChoice(("wool",)), "number": Range(1, 200, "x")}),)
    assert list(family.legal(many, 0)) == list(range(SLOTS))


def test_every_legal_move_of_a_fair_has_an_action() -> None:
    actions = ActionSpace(subject_of(fair.RULESET).families)
    for state in moments(fair.RULESET, 5):
        offers = fair.RULESET.offers(state, fair.RULESET.to_move(state)[0])
        counted = sum(
            int(np.prod([len(field.options) for field in offer.fields.values() if isinstance(field, Choice | Range)]))
            for offer in offers
        )
        assert counted == int(actions.mask(offers, 0).sum())


def test_nobody_sees_a_ceiling_of_another() -> None:
    """What the view hides is in nobody else's observation."""
    ruleset = CURRENT["marracash"]
    layout = SeatLayout(subject_of(ruleset).parts(ruleset.setup().seats))  # type: ignore[attr-defined]
    found = next(
        (state, seat, command)
        for seed in range(20)
        for state in moments(ruleset, seed, 400)
        for seat in range(len(state.player_ids))
        for offer in ruleset.besides(state, seat)
        if offer.command == "BidUpTo"
        for command in [_highest(ruleset, offer)]
    )
    state, seat, command = found
    told = ruleset.decide(state, seat, command, SeededChance(bytes(32), "a game"))
    assert not isinstance(told, Rejection)
    watching = (seat + 1) % len(state.player_ids)
    before, after = (layout.observed(each, watching) for each in (state, told.state))
    changed = {part.name for offset, part in layout if (before != after)[offset : offset + part.size].any()}
    assert changed <= {"ceilings"}
    assert (layout.observed(told.state, seat) != layout.observed(state, seat)).any()


def _highest(ruleset: Ruleset[Any], offer: Offer) -> Any:
    kind = next(each for each in ruleset.commands.moves if each.__name__ == offer.command)
    return kind(
        **{name: field.options[-1] for name, field in offer.fields.items() if isinstance(field, Choice | Range)}
    )
