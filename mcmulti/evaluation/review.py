"""The review of a game: what each decision cost, and what luck did, in chances to win.

The game is evaluated before and after every command, by rollouts with the same imagined dice. Between two positions,
a chance changes for two reasons: by the decision, from what fast players would have made of the position to what the
decision promised with any dice, and by luck, from there to what the dice brought. All changes add up to the result.
"""

from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean
from typing import Any, NamedTuple

from msgspec import Struct

from mcmulti.evaluation.costs import cost_of
from mcmulti.evaluation.estimates import Estimate, by_seat
from mcmulti.evaluation.evaluate import Budget
from mcmulti.evaluation.learned import is_learned
from mcmulti.evaluation.moments import CommandPlayed, happened_in, line_of, moments_of, names_in
from mcmulti.evaluation.moves import moves_to_try
from mcmulti.evaluation.policy import policy_of
from mcmulti.evaluation.rollouts import VictoryShares, dice_numbered, rolled_out, rolled_out_after
from mcmulti.library.record import Record
from mcmulti.library.state import State

ALTERNATIVES = 3
"""How many moves are tried in addition to the played one and that of the fast players."""
POINTS = 3
"""The most turning points of a review."""
LEAST = 0.01
"""The least change of a chance at a turning point."""


class StillRunning(ValueError):
    """The game is not over: a review would help the players."""


class ReviewedMove(Struct, frozen=True):
    """A command, by the number of its last event; `player` is None for the server.

    `chances`: of every seat after it. `gain`: what the decision changed in the player's own chance, compared with what
    fast players would have made of the position. `cost`: how much less it is worth than the best alternative; None
    if there was none. `better`: that alternative in words. `luck`: what dice or cards changed in each seat's chance;
    None if there were none.
    """

    seq: int
    player: int | None
    said: str
    chances: tuple[Estimate, ...]
    gain: float | None
    cost: Estimate | None
    better: str | None
    luck: tuple[float, ...] | None


class ReviewedPlayer(Struct, frozen=True):
    """A seat in a review, in chances to win, 0 to 1.

    `decisions`: those with an alternative. `error_rate`: their mean cost. `start` + `own` + `others` + `luck` =
    `result`: the chance before the first reviewed command, what the seat's own decisions changed, what those of others
    and the server changed, what dice and cards changed, and the chance or share of victory at the end. `adjusted`: the
    result without the luck.
    """

    name: str
    decisions: int
    error_rate: float
    start: float
    own: float
    others: float
    luck: float
    result: float
    adjusted: float


class TurningPoint(Struct, frozen=True):
    """A command that changed much, by the number of its last event, in a sentence or a few."""

    seq: int
    said: str


class Review(Struct, frozen=True):
    """The review of a game, or of a part of it.

    `policy`: the fast players of the rollouts. `learned`: whether a network values the ends of rollouts; otherwise
    they go to the end of the game. `passes`: how often each position was rolled out. `tried`: how often each
    alternative was, at least.
    """

    game: str
    ruleset: str
    version: int
    policy: str
    learned: bool
    seed: int
    passes: int
    tried: int
    players: tuple[ReviewedPlayer, ...]
    turning_points: tuple[TurningPoint, ...]
    moves: tuple[ReviewedMove, ...]


def review(
    record: Record,
    *,
    passes: int | None = None,
    seconds: float | None = 60,
    seed: int = 0,
    first: int = 1,
    last: int | None = None,
) -> Review:
    """Review the commands of a finished game from event `first` to event `last`.

    It ends after this many `passes`, or `seconds` of processor time, but not before every position was evaluated once.
    Without `seconds`, the same seed and number of passes give the same review. Raises `StillRunning`, and `ValueError`
    for events that cannot be folded, and if there is no command in this part.
    """
    moments = list(moments_of(record))
    if not moments or not moments[-1].after.is_terminal():
        raise StillRunning("the game is not over: a review would help its players")
    moments = [moment for moment in moments if moment.seq >= first and (last is None or moment.seq <= last)]
    if not moments:
        raise ValueError("there is no command of the started game in this part")
    sampled = _Samples(moments, seed)
    budget, done = Budget(passes, seconds), 0
    while not budget.spent(done):
        done += sampled.sample(done, budget)
    return _told(record, moments, sampled, seed)


class _Options(NamedTuple):
    """What else a seat could have done: the move of the fast players (None if they would wait), and others, each with
    the chances of the seat in each rollout after it.
    """

    policy: Any
    tried: list[tuple[Any, list[float]]]


class _Samples:
    """The rollouts from all positions of a game, pass by pass, each with the same dice everywhere.

    `chances`: by position, from the one before the first command. `promised`: after each command, whatever its dice.
    """

    def __init__(self, moments: Sequence[CommandPlayed], seed: int) -> None:
        self._moments, self._seed = moments, seed
        self._positions: list[State] = [*(moment.before for moment in moments), moments[-1].after]
        self.chances: list[list[VictoryShares]] = [[] for _ in self._positions]
        self.promised: list[list[VictoryShares]] = [[] for _ in moments]
        self.options = [_options(moment, seed) for moment in moments]

    def sample(self, number: int, budget: Budget) -> int:
        """Make one pass. Returns 1, or 0 if the budget was used up before all positions were evaluated once more."""
        dice = dice_numbered(self._seed, number)
        chances: list[VictoryShares] = []
        promised: list[VictoryShares] = []
        for place in range(len(self._moments), -1, -1):
            if number and budget.late:
                return 0
            if chances:
                moment = self._moments[place]
                again = moment.chance and moment.player is not None
                promised.append(_promised(moment, dice) if again else chances[-1])
            chances.append(rolled_out(self._positions[place], dice))
        for kept, shares in zip(self.chances, reversed(chances), strict=True):
            kept.append(shares)
        for kept, shares in zip(self.promised, reversed(promised), strict=True):
            kept.append(shares)
        self._try_options(dice, budget)
        return 1

    def _try_options(self, dice: bytes, budget: Budget) -> None:
        for moment, options in zip(self._moments, self.options, strict=True):
            if options is not None and moment.player is not None:
                for action, chances in options.tried:
                    if budget.late:
                        return
                    chances.append(rolled_out_after(moment.before, action, moment.player, dice)[moment.player])


def _promised(moment: CommandPlayed, dice: bytes) -> VictoryShares:
    assert moment.player is not None
    return rolled_out_after(moment.before, moment.action, moment.player, dice)


def _options(moment: CommandPlayed, seed: int) -> _Options | None:
    """What else the seat could have done; None if nothing."""
    if moment.player is None:
        return None
    if moment.player not in moment.before.players_to_move():
        return _Options(None, [])
    moves = moves_to_try(moment.before, moment.player, ALTERNATIVES + 2, seed)
    if moves == [moment.action]:
        return None
    policy = moves[0] if moves else None
    return _Options(policy, [(action, []) for action in moves[1:] if action != moment.action])


def _told(record: Record, moments: Sequence[CommandPlayed], sampled: _Samples, seed: int) -> Review:
    start = moments[0].before
    moves = [_move(place, moment, sampled) for place, moment in enumerate(moments)]
    tried = [len(chances) for options in sampled.options if options is not None for _, chances in options.tried]
    return Review(
        start.table.game_id,
        start.game.name,
        start.game.version,
        policy_of(start.game.name),
        is_learned(start.game.name),
        seed,
        len(sampled.chances[0]),
        min(tried, default=0),
        tuple(_player(seat, name, moves, sampled) for seat, name in enumerate(names_in(moments[-1].after))),
        _turning_points(moments, moves, sampled),
        tuple(moves),
    )


def _move(place: int, moment: CommandPlayed, sampled: _Samples) -> ReviewedMove:
    before, promised, after = sampled.chances[place], sampled.promised[place], sampled.chances[place + 1]
    said, options = happened_in(moment), sampled.options[place]
    luck = _change(promised, after) if moment.chance else None
    if moment.player is None:
        return ReviewedMove(moment.seq, None, said, by_seat(after), None, None, None, luck)
    seat, cost, better = moment.player, None, None
    if options is not None:
        played, fast = ([shares[seat] for shares in samples] for samples in (promised, before))
        others = [(action, chances) for action, chances in options.tried if len(chances) > 1]
        if options.policy != moment.action:
            others.insert(0, (options.policy, fast))
        cost, best = cost_of(played, [chances for _, chances in others])
        if best is not None and others[best][0] is not None and cost.value > 0:
            better = line_of(moment.before, others[best][0], seat)
    gain = _change(before, promised)[seat]
    return ReviewedMove(moment.seq, seat, said, by_seat(after), gain, cost, better, luck)


def _change(before: Sequence[VictoryShares], after: Sequence[VictoryShares]) -> tuple[float, ...]:
    """The mean change of each seat's chance from one position to another, under the same dice."""
    seats = zip(zip(*before, strict=True), zip(*after, strict=True), strict=True)
    return tuple(fmean(new) - fmean(old) for old, new in seats)


def _player(seat: int, name: str, moves: Sequence[ReviewedMove], sampled: _Samples) -> ReviewedPlayer:
    start, result = (fmean(shares[seat] for shares in sampled.chances[place]) for place in (0, -1))
    mine = [move for move in moves if move.player == seat]
    costs = [move.cost.value for move in mine if move.cost is not None]
    own = sum(move.gain for move in mine if move.gain is not None)
    luck = sum(move.luck[seat] for move in moves if move.luck is not None)
    error_rate = fmean(costs) if costs else 0.0
    others = result - start - own - luck
    return ReviewedPlayer(name, len(costs), error_rate, start, own, others, luck, result, result - luck)


def _turning_points(
    moments: Sequence[CommandPlayed], moves: Sequence[ReviewedMove], sampled: _Samples
) -> tuple[TurningPoint, ...]:
    """The commands that changed a chance most, in their order: in each turn at most one by luck and one without."""
    changes = [_change(before, after) for before, after in pairwise(sampled.chances)]
    largest = sorted(range(len(moves)), key=lambda place: -max(map(abs, changes[place])))
    names, seen = names_in(moments[-1].after), set[tuple[int, bool]]()
    found: list[TurningPoint] = []
    for place in largest:
        table = moments[place].before.table
        turn = moments[place].before.game.ruleset.turn(table), moves[place].luck is not None
        if turn in seen or len(found) == POINTS or max(map(abs, changes[place])) < LEAST:
            continue
        seen.add(turn)
        seat = _whose(changes[place], moves[place].player)
        old, new = (fmean(shares[seat] for shares in sampled.chances[at]) for at in (place, place + 1))
        found.append(TurningPoint(moves[place].seq, _sentence(moves[place], seat, names[seat], old, new)))
    return tuple(sorted(found, key=lambda point: point.seq))


def _whose(changes: Sequence[float], player: int | None) -> int:
    """The seat whose chance changed most; among equals, the one that moved."""
    return max(range(len(changes)), key=lambda seat: (round(abs(changes[seat]), 3), seat == player))


def _sentence(move: ReviewedMove, seat: int, name: str, old: float, new: float) -> str:
    """What changed a seat's chance, why, and what would have been better."""
    lucky = move.luck is not None and abs(move.luck[seat]) > abs(new - old) / 2
    why = " by luck" if lucky else ""
    said = f"{move.said} {name}'s chance {'rises' if new > old else 'falls'}{why} from {old:.0%} to {new:.0%}."
    if not lucky and move.better is not None and move.cost is not None and move.cost.value >= 0.01:
        said += f" Better: {move.better}"
    return said
