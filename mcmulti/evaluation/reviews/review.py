"""The review of a game: what each decision cost, and what luck did, in chances to win.

The game is evaluated before and after every command, by rollouts with the same imagined dice. Between two positions,
a chance changes for two reasons: by the decision, from what fast players would have made of the position to what the
decision promised with any dice, and by luck, from there to what the dice brought. All changes add up to the result.
"""

from collections.abc import Sequence
from statistics import fmean
from time import process_time
from typing import Any

import msgspec

from mcmulti.domain.core.wording.telling import Language
from mcmulti.evaluation.evaluate import by_seat, estimated
from mcmulti.evaluation.learned import is_learned
from mcmulti.evaluation.policy import policy_of
from mcmulti.evaluation.reviews.moments import CommandPlayed, moments_of
from mcmulti.evaluation.reviews.sampling import Samples
from mcmulti.evaluation.reviews.wording import told_in
from mcmulti.evaluation.rollouts import VictoryShares
from mcmulti.library.record import Record
from mcmulti.projections.reviews import Estimate, Review, ReviewedMove, ReviewedPlayer, TurningPoint

POINTS = 3
"""The most turning points of a review."""
LEAST = 0.01
"""The least change of a chance at a turning point."""


class StillRunning(ValueError):
    """The game is not over: a review would help the players."""


def review(
    record: Record,
    *,
    passes: int | None = None,
    seconds: float = 60,
    seed: int = 0,
    first: int = 1,
    last: int | None = None,
) -> Review:
    """Review the commands of a finished game from event `first` to event `last`.

    It ends after this many `passes`, or without them after `seconds` of processor time, and one rollout more at most.
    If there is little time, only some positions are evaluated, and only the decisions between those that differ most
    are examined. The same seed and number of passes give the same review. Raises `StillRunning`, and `ValueError` if
    an event cannot be folded or no command of the started game is in this range.
    """
    reviewing = Reviewing(record, seed=seed, first=first, last=last)
    for _ in reviewing.until(seconds) if passes is None else reviewing.passes(passes):
        pass
    return reviewing.result()


class Reviewing:
    """A review in progress. `kept`: what `save` returned, to go on from there. Raises like `review`."""

    def __init__(
        self, record: Record, *, seed: int = 0, first: int = 1, last: int | None = None, kept: bytes = b""
    ) -> None:
        began = process_time()
        moments = list(moments_of(record))
        if not moments or not moments[-1].after.is_terminal():
            raise StillRunning("the game is not over: a review would help its players")
        self._moments = [moment for moment in moments if moment.seq >= first and (last is None or moment.seq <= last)]
        if not self._moments:
            raise ValueError("no command of the started game is in this range of events")
        self._seed, self._samples = seed, Samples(self._moments, seed, began, kept)
        self.passes, self.until, self.save = self._samples.passes, self._samples.until, self._samples.save

    @property
    def used(self) -> float:
        """Seconds of processor time so far."""
        return self._samples.used

    def result(self, language: Language = "en") -> Review:
        """What is known so far."""
        return told_in(_Numbers(self._moments, self._samples, self._seed).review(), self._moments, language)


class _Numbers:
    """Makes a review of samples, without words."""

    def __init__(self, moments: Sequence[CommandPlayed], samples: Samples, seed: int) -> None:
        self._moments, self._samples, self._seed = moments, samples, seed
        self._worth: dict[int, float] = {}
        """The seat's own chance after what a command led to, for commands whose cost is known."""
        self._moves = {place: self._move(place) for place in range(len(moments)) if samples.positions[place + 1]}

    def review(self) -> Review:
        samples, start = self._samples, self._moments[0].before
        examined = [place for place, move in self._moves.items() if move.player is None or move.gain is not None]
        tried = [len(chances) for place in examined for chances in samples.tried(place) or ()]
        return Review(
            start.table.game_id,
            start.game.name,
            start.game.version,
            policy_of(start.game.name),
            is_learned(start.game.name),
            self._seed,
            len(self._moments),
            len(examined),
            min(len(chances) for chances in samples.positions if chances),
            min(tried, default=0),
            tuple(self._player(seat) for seat in range(start.game.num_players())),
            self._turning_points(),
            tuple(self._moves.values()),
        )

    def _move(self, place: int) -> ReviewedMove:
        moment, samples = self._moments[place], self._samples
        before, promised, after = samples.positions[place], samples.promised(place), samples.positions[place + 1]
        seat, chances = moment.player, by_seat(after)
        if seat is None:
            luck = _change(before, after) if moment.chance and before else None
            return ReviewedMove(moment.seq, moment.previous, None, "", chances, None, None, None, None, luck)
        if not before or not promised:
            return ReviewedMove(moment.seq, moment.previous, seat, "", chances, None, None, None, None, None)
        luck = _change(promised, after) if moment.chance else None
        cost, alternative = self._cost(place, seat)
        gain = _change(before, promised)[seat]
        return ReviewedMove(moment.seq, moment.previous, seat, "", chances, gain, cost, alternative, None, luck)

    def _cost(self, place: int, seat: int) -> tuple[Estimate | None, dict[str, Any] | None]:
        """What a decision cost, and the command that would have been better, if any."""
        moment, samples = self._moments[place], self._samples
        tried = samples.tried(place)
        options = None if tried is None else samples.options(place)
        if tried is None or options is None:
            return None, None
        played = self._played(place, seat)
        found = zip(options.others, tried, strict=True)
        others = [(action, chances) for action, chances in found if len(chances) > 1]
        if options.policy != moment.action:
            others.insert(0, (options.policy, [shares[seat] for shares in samples.positions[place]]))
        self._worth[place] = fmean(played)
        cost, best = cost_of(played, [chances for _, chances in others])
        if best is None or others[best][0] is None or cost.value <= 0:
            return cost, None
        return cost, msgspec.to_builtins(others[best][0])

    def _played(self, place: int, seat: int) -> Sequence[float]:
        """What a command led to: the seat itself may have gone on, up to the next dice or another seat's command."""
        found = list[list[float]]()
        for later in range(place, len(self._moments)):
            if self._moments[later].player != seat or not (promised := self._samples.promised(later)):
                break
            found.append([shares[seat] for shares in promised])
            if self._moments[later].chance:
                break
        return led_to(found)

    def _player(self, seat: int) -> ReviewedPlayer:
        positions, moves = self._samples.positions, self._moves.values()
        start, result = (fmean(shares[seat] for shares in positions[place]) for place in (0, -1))
        mine = [move for move in moves if move.player == seat]
        costs = {place: move.cost.value for place, move in self._moves.items() if move.player == seat and move.cost}
        best = sum(self._worth[place] + cost for place, cost in costs.items())
        own = sum(move.gain for move in mine if move.gain is not None)
        luck = sum(move.luck[seat] for move in moves if move.luck is not None)
        error_rate = sum(costs.values()) / best if best else 0.0
        others = result - start - own - luck
        return ReviewedPlayer("", len(costs), error_rate, start, own, others, luck, result, result - luck)

    def _turning_points(self) -> tuple[TurningPoint, ...]:
        """The commands that changed a chance most, in order: in each turn at most one by luck and one without."""
        positions = self._samples.positions
        changes = {place: _change(positions[place], positions[place + 1]) for place in self._moves if positions[place]}
        seen, found = set[tuple[int, bool]](), list[TurningPoint]()
        for place in sorted(changes, key=lambda place: -max(map(abs, changes[place]))):
            before, move = self._moments[place].before, self._moves[place]
            turn = before.game.ruleset.turn(before.table), move.luck is not None
            if turn in seen or len(found) == POINTS or max(map(abs, changes[place])) < LEAST:
                continue
            seen.add(turn)
            found.append(TurningPoint(move.seq, _whose(changes[place], move.player), ""))
        return tuple(sorted(found, key=lambda point: point.seq))


def _change(before: Sequence[VictoryShares], after: Sequence[VictoryShares]) -> tuple[float, ...]:
    """The mean change of each seat's chance from one position to another, under the dice that both had."""
    common = min(len(before), len(after))
    seats = zip(zip(*before[:common], strict=True), zip(*after[:common], strict=True), strict=True)
    return tuple(fmean(new) - fmean(old) for old, new in seats)


def _whose(changes: Sequence[float], player: int | None) -> int:
    """The seat whose chance changed most; among equals, the one that moved."""
    return max(range(len(changes)), key=lambda seat: (round(abs(changes[seat]), 3), seat == player))


def cost_of(played: Sequence[float], others: Sequence[Sequence[float]]) -> tuple[Estimate, int | None]:
    """How much less the played option is worth than the best one, and which of the others that is; None if it is best.

    The option that looks best among several looks better than it is. So one half of the samples chooses it and the
    other half measures it, and then the other way round. What is within the standard error counts as 0.
    """
    options = [played, *others]
    samples = min(map(len, options))
    options = [option[:samples] for option in options]
    best = _best(options)
    surplus = estimated([better - own for better, own in zip(options[best], options[0], strict=True)])
    if best == 0 or surplus.value <= (surplus.error or 0.0):
        return Estimate(0.0, surplus.error), None
    if surplus.error is None:
        return surplus, best - 1
    halves = [[option[half::2] for option in options] for half in (0, 1)]
    gains = []
    for choosing, measuring in (halves, halves[::-1]):
        chosen = _best(choosing)
        gains.append(fmean(measuring[chosen]) - fmean(measuring[0]))
    return Estimate(max(0.0, fmean(gains)), surplus.error), best - 1


def led_to(chances: Sequence[Sequence[float]]) -> Sequence[float]:
    """What a command led to: of the samples after it, and after each with which its player went on, the best.

    Otherwise every step of a good plan would cost what fast players would have made of the rest of it. A later step
    that spoils the plan costs that itself.
    """
    return max(chances, key=fmean)


def _best(options: Sequence[Sequence[float]]) -> int:
    """The option with the highest mean; the first of equals."""
    means = [fmean(option) for option in options]
    return means.index(max(means))
