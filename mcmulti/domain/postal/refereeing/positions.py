"""The positions in which a game by post can stand: only those in which it waits for order sheets."""

from collections.abc import Iterator

from mcmulti.domain.core.course.positions import Fault, Reasons, differs, no_seat, outside, wrong_length
from mcmulti.domain.core.figures import MOST
from mcmulti.domain.oil import positions as oil
from mcmulti.domain.postal.components import CLIMATE_CHANGES, FIELDS, HIGHEST_PRICE, PLAYERS
from mcmulti.domain.postal.state import State

_BECAUSE = Reasons("mcmulti.domain.postal")

_BY_SEAT = ("sheets", "later", "standing", "holds", "hits", "struck")


def faults(state: State) -> Iterator[Fault]:
    """The faults of a position in which everybody plays."""
    missing = list(oil.lists(state, PLAYERS)) or list(differs("owners", state.owners, tuple(range(PLAYERS))))
    missing += [fault for name in _BY_SEAT for fault in wrong_length(name, getattr(state, name), PLAYERS)]
    if missing:
        yield from missing
        return
    yield from oil.board(state, FIELDS)
    yield from differs("phase", state.phase, "orders")
    yield from outside("round", state.round, 1, MOST)
    yield from outside("consumer_price", state.consumer_price, 0, HIGHEST_PRICE)
    yield from outside("conversions", state.conversions, 0, MOST)
    yield from outside("climate_changes", state.climate_changes, 0, CLIMATE_CHANGES)
    if sorted(state.order) != list(range(PLAYERS)):
        yield Fault("order", _BECAUSE("one_turn_each"))
    if state.turn is not None:
        yield from no_seat("turn.seat", state.turn.seat, PLAYERS)
    for seat, (later, hits, struck) in enumerate(zip(state.later, state.hits, state.struck, strict=True)):
        rounds = [each.round for each in later]
        if rounds != sorted(set(rounds)) or (rounds[:1] and rounds[0] <= state.round):
            yield Fault(f"later[{seat}]", _BECAUSE("later_order"))
        for kind in ("rigs", "wells", "stations", "refineries", "idle"):
            yield from oil.bits(f"hits[{seat}].{kind}", getattr(hits, kind))
        yield from oil.bits(f"struck[{seat}]", struck)
