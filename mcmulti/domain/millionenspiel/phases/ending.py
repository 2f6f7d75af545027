"""The end: a player has a million, or nobody wants to play on."""

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from mcmulti.domain.core.capabilities.leaving.departures import EndedBy
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Seat
from mcmulti.domain.core.table import reveal_seed
from mcmulti.domain.core.wording.phrases import Phrases
from mcmulti.domain.millionenspiel.components import MILLION
from mcmulti.domain.millionenspiel.state import Amount, Millionenspiel, Play

Reason = Literal["million", "standstill", "left", "agreed", "too_long"]


class GameEnded(Event, frozen=True):
    """The game is over. `totals`: everybody's money by seat, staked or not; cards do not count.

    `reason`: somebody has a million, the game stands still, all others have left, all agreed, or the game is too long.
    """

    reason: Reason
    totals: Annotated[tuple[Amount, ...], Meta(max_length=5)]
    winner: Seat

    def evolve(self, state: Millionenspiel) -> Millionenspiel:
        return replace(state, phase="over", waiting=(), winners=(self.winner,), decided_by=self.reason)

    def form(self, say: Phrases) -> Reason:
        return self.reason

    def about(self, actor: int | None) -> int | None:
        return None

    def tie(self, say: Phrases) -> str:
        """Whom the winner beat by having to stake first; empty if nobody had as much."""
        winner, totals = self.winner, self.totals
        others = [seat for seat in _after(winner, totals) if totals[seat] == totals[winner] and say.plays(seat)]
        return say.phrase("tie", others=say.everybody(others), winner=say.who(winner)) if others else ""

    def standings(self, say: Phrases) -> str:
        """Everybody's money: the winner, then by amount, players who left last."""
        totals = self.totals
        others = sorted(_after(self.winner, totals), key=lambda seat: (not say.plays(seat), -totals[seat]))
        return ", ".join([say.told(seat, say.number(totals[seat])) for seat in (self.winner, *others)])


def _after(winner: int, totals: Sequence[int]) -> list[int]:
    """The other seats, clockwise."""
    return [(winner + place) % len(totals) for place in range(1, len(totals))]


def somebody_won(play: Play) -> bool:
    """Whether a player has a million, which ends the game (`end/million`). Players who left cannot win."""
    reached = any(play.state.players[seat].money >= MILLION for seat in play.state.taken)
    if reached:
        end(play, "million", "end/million")
    return reached


def finish(play: Play, rule: str) -> None:
    """End the game now (`table/last`, `table/propose-end`, `table/length`)."""
    how: dict[EndedBy | None, Reason] = {"left": "left", "too_long": "too_long"}
    end(play, how.get(play.state.departures.ended, "agreed"), rule)


def end(play: Play, reason: Reason, rule: str) -> None:
    """The player with the most wins. In a tie, the player who had to stake first in this round wins, even if it
    passed.
    """
    totals = tuple(player.money for player in play.state.players)
    winner = max(play.state.order, key=lambda seat: (seat in play.state.taken, totals[seat]))
    play.record(GameEnded(reason, totals, winner), rule)
    reveal_seed(play)
