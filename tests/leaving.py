"""People who come and go in running games, for tests of every game."""

from typing import Any

from msgspec.structs import replace

from mcmulti.domain.core.capabilities.leaving import IfLeft
from mcmulti.domain.core.commands import TakeSeat
from mcmulti.domain.core.table import Table

STRANGER = "player-9"


def sits_down(seat: int | None = None, player: str = STRANGER, entropy: str = "") -> TakeSeat:
    """The request of a player who wants to take a seat."""
    return TakeSeat(player, seat, entropy)


def agreed_on(state: Any, if_left: IfLeft) -> Any:
    """The same game, at a table with another option for players who leave."""
    return replace(state, setup=replace(state.setup, if_left=if_left))


def players(state: Table) -> list[str | None]:
    """The players by seat, by the last digit of their ids: seat 0 has player ``0`` unless another came later."""
    return [player and player.rpartition("-")[2] for player in state.player_ids]
