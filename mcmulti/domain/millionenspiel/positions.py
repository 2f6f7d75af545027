"""The positions in which a Millionenspiel can stand between two commands."""

from collections.abc import Iterator

from mcmulti.domain.core.course.positions import Fault, Reasons, differs, no_seat, outside, repeats, wrong_length
from mcmulti.domain.core.figures import MOST
from mcmulti.domain.millionenspiel.components import FIELDS
from mcmulti.domain.millionenspiel.state import Millionenspiel

_BECAUSE = Reasons("mcmulti.domain.millionenspiel")


def faults(state: Millionenspiel) -> Iterator[Fault]:
    """The faults of a position in which everybody plays."""
    seats = state.setup.seats
    missing = [*wrong_length("players", state.players, seats), *no_seat("roller", state.roller, seats)]
    if missing:
        yield from missing
        return
    for seat, player in enumerate(state.players):
        if player.money > MOST:
            yield Fault(f"players[{seat}]", _BECAUSE("too_much", money=player.money, most=MOST))
    yield from outside("pawn", state.pawn, 0, FIELDS - 1)
    yield from outside("round", state.round, 1, MOST)
    yield from outside("idle", state.idle, 0, MOST)
    yield from differs("winners", state.winners, ())
    yield from repeats("at_stake", state.at_stake)
    for place, seat in enumerate(state.at_stake):
        yield from no_seat(f"at_stake[{place}]", seat, seats)
    for place, throw in enumerate(state.throws):
        for name, die in (("first", throw.first), ("second", throw.second)):
            yield from outside(f"throws[{place}].{name}.value", die.value, 1, 6)
    if state.phase == "staking":
        yield from _staking(state)
    elif state.phase == "declining":
        yield from differs("waiting", state.waiting, ())
        if not state.throws:
            yield Fault("throws", _BECAUSE("no_throw"))
    else:
        yield Fault("phase", _BECAUSE("idle_phase", phase=state.phase))


def _staking(state: Millionenspiel) -> Iterator[Fault]:
    waiting = state.waiting
    if not waiting or waiting != state.order[-len(waiting) :]:
        yield Fault("waiting", _BECAUSE("staking_order", order=list(state.order)))
        return
    for seat in waiting:
        if state.players[seat].stake:
            yield Fault(f"players[{seat}].stake", _BECAUSE("has_not_staked"))
    if not state.players[waiting[0]].purse:
        yield Fault(f"players[{waiting[0]}].purse", _BECAUSE("empty_hand"))
