"""The strategy: it tries out what it can build and sell, and chooses the best probability of winning."""

from collections.abc import Sequence
from time import monotonic
from typing import Any, NamedTuple
from zlib import crc32

import msgspec

from mcmulti.bots.strategies.magnate.features import features
from mcmulti.bots.strategies.magnate.network import Council, chance_of, council
from mcmulti.bots.strategies.magnate.position import ThoughtDice, imagined
from mcmulti.bots.strategies.magnate.trying import building, move_of, played_on, taken
from mcmulti.bots.strategies.tycoon import tycoon
from mcmulti.bots.strategy import Command, Offer, View
from mcmulti.domain.mcmulti.commands import DeclareVictory, EndPurchases, EndTurn
from mcmulti.library.state import State

SECONDS = 1.0
"""The most time for a decision."""
SAMPLES = 3
"""How many times it plays on with different dice, for each of its best plans."""
_WIDTH = 3
"""The beam width of the search."""
_PATIENCE = 2
"""It stops after this many moves without a gain."""
_FINALISTS = 3
"""The most plans that it plays on from."""
_CLOSE = 0.02
"""Their probability of winning is at most this much below the best."""
_TRUST = 4
"""The weight of a first estimate, in samples."""


class TurnPlan(NamedTuple):
    """Moves, including the end of the turn; the state after them; and the probability of winning from there."""

    chance: float
    moves: tuple[Any, ...]
    after: State


class Magnate:
    """A strategy; see `Strategy`. Without anything to build or sell, it plays like a tycoon.

    The same seed and the same position give the same decision, as long as it does not run out of `seconds`.
    """

    def __init__(
        self, seed: int, seconds: float = SECONDS, weighing: Council | None = None, samples: int = SAMPLES
    ) -> None:
        self._seed = seed
        self._seconds = seconds
        self._council = weighing or council()
        self._samples = samples
        self.time_left: float | None = None
        """See `Timed`: it uses at most half of that, so that a busy machine does not make it late."""

    def __call__(self, view: View, offers: list[Offer], /) -> list[Command]:
        usual = tycoon(view, offers)
        if view["phase"] not in ("purchase", "assets"):
            return usual
        seconds = self._seconds if self.time_left is None else min(self._seconds, self.time_left / 2)
        until = monotonic() + seconds
        seed = _seed_of(view) ^ self._seed
        search = _Search(imagined(view, offers, seed), view["you"], self._council, seed, until)
        plans = search.plans([move_of(command) for command in usual])
        close = [plan for plan in plans[:_FINALISTS] if plan.chance >= plans[0].chance - _CLOSE]
        best = search.played_out(close, self._samples)
        return [msgspec.to_builtins(move) for move in best.moves]


def _seed_of(view: View) -> int:
    """A number that depends on the position, and not on the players."""
    holdings = [(seat["cash"], seat["crude"], seat["gasoline"]) for seat in view["seats"]]
    return crc32(msgspec.json.encode((holdings, view["quadrants"], view["markets"], view["turn"])))


class _Search:
    """The search for a plan in a building phase, for the seat to move."""

    def __init__(self, state: State, seat: int, weighing: Council, seed: int, until: float) -> None:
        self._state = state
        self._seat = seat
        self._weighing = weighing
        self._seed = seed
        self._until = until
        purchase = state.table.phase == "purchase"
        self._ends: tuple[Any, ...] = (EndPurchases(),) if purchase else (EndTurn(), DeclareVictory())
        self._seen: set[Any] = set()
        self._plans: list[TurnPlan] = []

    def plans(self, usual: Sequence[Any]) -> list[TurnPlan]:
        """Plans, the best first. It begins with doing nothing, and with the `usual` moves, so there is always one."""
        front = self._weighed((), self._state)
        moves: tuple[Any, ...] = ()
        state = self._state
        for move in usual[:-1]:
            after = taken(state, self._seat, move)
            if after is None:
                break
            moves, state = (*moves, move), after
        front += self._weighed(moves, state)
        best, stale = max(each[0] for each in front), 0
        while front and stale < _PATIENCE:
            following = []
            for _, moves, state in sorted(front, key=lambda each: each[0], reverse=True)[:_WIDTH]:
                for move in building(state, self._seat):
                    if monotonic() > self._until:
                        break
                    after = taken(state, self._seat, move)
                    if after is not None:
                        following += self._weighed((*moves, move), after)
            front = following
            better = max((each[0] for each in front), default=0.0)
            best, stale = max(best, better), 0 if better > best else stale + 1
        return sorted(self._plans, key=lambda plan: plan.chance, reverse=True)

    def _weighed(self, moves: tuple[Any, ...], state: State) -> list[tuple[float, tuple[Any, ...], State]]:
        """The best probability of winning if the phase ends after these moves; empty if it was evaluated before."""
        key = state.table.players[self._seat].cash, state.table.quadrants
        if key in self._seen:
            return []
        self._seen.add(key)
        ended = [(end, taken(state, self._seat, end)) for end in self._ends]
        plans = [TurnPlan(self._chance(after), (*moves, end), after) for end, after in ended if after is not None]
        self._plans += plans
        return [(max(plan.chance for plan in plans), moves, state)]

    def _chance(self, state: State) -> float:
        """The probability of winning from here; at the end, a shared victory counts as a share."""
        if state.is_terminal():
            return (self._seat in state.winners()) / len(state.winners())
        return chance_of(self._weighing(features(state.table, self._seat, rolls=False)))

    def played_out(self, plans: Sequence[TurnPlan], samples: int) -> TurnPlan:
        """The best of several plans when all players play on to the seat's next turn, with the same dice for every
        plan.
        """
        sums = [_TRUST * plan.chance for plan in plans]
        for sample in range(samples if len(plans) > 1 else 0):
            chances = []
            for plan in plans:
                if monotonic() > self._until:
                    return plans[sums.index(max(sums))]
                dice = ThoughtDice(self._seed + 1 + sample)
                other = State(plan.after.game, plan.after.table, dice)
                chances.append(self._chance(played_on(other, self._seat)))
            sums = [total + chance for total, chance in zip(sums, chances, strict=True)]
        return plans[sums.index(max(sums))]
