"""The search: for each stake, what those who stake after it answer, and how likely one wins then."""

from collections.abc import Sequence
from typing import NamedTuple

from mcmulti.bots.strategies.gambler.hopes import Fortune, Hopes, Shares, holding
from mcmulti.bots.strategies.gambler.pieces import Purse, worth
from mcmulti.bots.strategies.gambler.stakes import replies, stakes, usual


class Player(NamedTuple):
    """A seat before its stake: what it has, and whether somebody plays."""

    purse: Purse
    card: int
    plays: bool

    def staking(self, stake: Purse) -> Fortune:
        """What it has when it staked this."""
        return holding(self.purse, stake, self.card, self.plays)


class BestStake(NamedTuple):
    """A stake, and how likely one wins with it."""

    stake: Purse
    chance: float


def best_stake(hopes: Hopes, staked: Sequence[Fortune], me: Player, after: Sequence[Player]) -> BestStake:
    """The stake after which one wins most likely, of several the first.

    Each player `after` one is taken to answer with what is best for it, if those after it stake what they would as
    things stood.
    """
    turn = len(staked)
    waiting = [player.staking(usual(player.purse)) for player in after]
    answers = [_answers(player) for player in after]
    expected = [*staked, me.staking(usual(me.purse)), *waiting]
    for seat in reversed(range(turn + 1, len(expected))):
        expected[seat], _ = _best(hopes, expected, seat, answers[seat - turn - 1])
    choices = []
    for stake in stakes(me.purse, staked, waiting):
        line = [*staked, me.staking(stake), *expected[turn + 1 :]]
        shares = hopes.chances(line) if not after else ()
        for seat in range(turn + 1, len(line)):
            line[seat], shares = _best(hopes, line, seat, answers[seat - turn - 1])
        choices.append(BestStake(stake, shares[turn]))
    return max(choices, key=lambda choice: choice.chance)


def _answers(player: Player) -> list[Fortune]:
    """What it may have after its stake; who left stakes nothing, nor can who has nothing."""
    if not player.plays or not worth(player.purse):
        return [player.staking({})]
    return [player.staking(stake) for stake in replies(player.purse)]


def _best(hopes: Hopes, line: Sequence[Fortune], seat: int, answers: Sequence[Fortune]) -> tuple[Fortune, Shares]:
    """What a seat does best while all others do as in the line, and how likely each wins then."""
    tried = [(answer, hopes.chances([*line[:seat], answer, *line[seat + 1 :]])) for answer in answers]
    return max(tried, key=lambda each: each[1][seat])
