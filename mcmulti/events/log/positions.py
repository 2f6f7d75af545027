"""A game at one point of its log, and who sits where then."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.table import Called, presented
from mcmulti.events.log.envelope import Head


class Position(NamedTuple):
    """A game at one point of its log."""

    game_id: UUID
    ruleset: Ruleset[Any]
    state: Any
    head: Head

    def presented(self, called: Called) -> "Position":
        """The position for display, with these names of players."""
        return self._replace(state=presented(self.state, called))

    def seat_of(self, player_id: UUID) -> int | None:
        """The seat of a player."""
        return seat_among(self.ruleset.players(self.state), player_id)


def seat_among(players: Sequence[str | None], player_id: UUID) -> int | None:
    """The index of a player among these, by seat."""
    wanted = str(player_id)
    return players.index(wanted) if wanted in players else None
