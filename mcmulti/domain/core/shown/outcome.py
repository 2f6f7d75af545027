"""Who plays, and the result."""

from typing import Any

from msgspec import Struct

from mcmulti.domain.core.capabilities.leaving.departures import departures_of
from mcmulti.domain.core.table import Table


class Outcome(Struct, frozen=True):
    """Names by seat, None for an empty seat, and if no name is known. Earlier players of a seat are named too.

    `winners`: the seats that won, empty before the game is over. `declared_by`: the seat that brought about the end,
    None if no seat did, as at a standstill. `decided_by`: what decided the victory, in a word of the rule set, or how
    the game ended early: ``left``, ``agreed``, ``called_off``, ``too_long``; None before it is over.
    """

    names: tuple[str | None, ...]
    winners: tuple[int, ...]
    declared_by: int | None
    decided_by: str | None = None


def outcome(state: Any) -> Outcome:
    """Who plays, who declared the end, and who won."""
    return Outcome(played_by(state), state.winners, state.declared_by, decided_by(state))


def played_by(state: Table) -> tuple[str | None, ...]:
    """Who played each seat: the names in order, including those who left, if others took it over."""
    if not departures_of(state).tenants:
        return state.names
    return tuple(
        " / ".join(name for player in tenants if (name := state.called.get(player)) is not None) or None
        for tenants in departures_of(state).tenants
    )


def decided_by(state: Any) -> str | None:
    """What decided the victory, or how the game ended before its own rules ended it."""
    ended: str | None = departures_of(state).ended or state.decided_by
    return ended
