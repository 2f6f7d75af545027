"""Who plays, and what came of it."""

from typing import Any

from msgspec import Struct

from mcmulti.domain.core.capabilities.leaving.departures import departures_of
from mcmulti.domain.core.table import Table


class Outcome(Struct, frozen=True):
    """Names by seat, None for an empty one, and where no name is known; who played a seat before others is named too.

    `winners` are the seats that won, none before the game is over. `declared_by` is the seat that brought the end
    about, None where nobody did, as at a standstill. `decided_by` is what decided over the victory, in a word of the
    rule set, or how the game ended before: ``left``, ``agreed``, ``called_off``, ``too_long``; None before it is over.
    """

    names: tuple[str | None, ...]
    winners: tuple[int, ...]
    declared_by: int | None
    decided_by: str | None = None


def outcome(state: Any) -> Outcome:
    """Who plays and who won, where nobody declares the end."""
    return Outcome(played_by(state), state.winners, None, decided_by(state))


def played_by(state: Table) -> tuple[str | None, ...]:
    """Who played which seat: names in order, where others took it over, those who left among them."""
    if not departures_of(state).tenants:
        return state.names
    return tuple(
        " / ".join(name for player in tenants if (name := state.called.get(player)) is not None) or None
        for tenants in departures_of(state).tenants
    )


def decided_by(state: Any) -> str | None:
    """What decided over the victory, or how the game ended before its own rules ended it."""
    ended: str | None = departures_of(state).ended or state.decided_by
    return ended
