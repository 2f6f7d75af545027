"""The search: for each stake, what those who stake after it answer, and how likely one wins then."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mcmulti.bots.strategies.gambler.hopes import Fortune, Hopes, holding
from mcmulti.bots.strategies.gambler.pieces import Purse, without, worth
from mcmulti.bots.strategies.gambler.stakes import stakes, usual

CARDS = {5: 50, 50: 500}
"""Which pension card comes after which."""
TRIED = 6
"""How many of its own stakes are followed through all answers: the best by a first look that foresees nothing."""
ANSWERED = 3
"""How many stakes of each player between are followed; the last player tries all."""


class Player(NamedTuple):
    """A seat before its stake: what it has, and whether somebody plays."""

    purse: Purse
    card: int
    plays: bool

    def staking(self, stake: Purse) -> Fortune:
        """What it has when it staked this."""
        return holding(self.purse, stake, self.card, self.plays)

    def buying(self, paid: Purse) -> "Player":
        """What it has when it bought the next card with these pieces."""
        return Player(without(self.purse, paid), CARDS[self.card], self.plays)


class BestStake(NamedTuple):
    """A stake, and how likely one wins with it."""

    stake: Purse
    chance: float


def best_stake(hopes: Hopes, staked: Sequence[Fortune], me: Player, after: Sequence[Player]) -> BestStake:
    """The stake after which one wins most likely, of several the first.

    Each player `after` one is taken to answer in the same way, foreseeing those after it in turn.
    """
    turn = len(staked)
    search = _Search(hopes, {turn + place: player for place, player in enumerate([me, *after])})
    line = [*staked, *[player.staking(usual(player.purse)) for player in search.players.values()]]
    for seat in reversed(range(turn + 1, len(line))):
        line[seat] = search.answer(line, seat, foresees=False)
    found = {me.staking(stake): stake for stake in search.stakes(line, turn)}
    tried: Iterable[Fortune] = found
    if len(after) > 1 and len(found) > TRIED:
        tried = sorted(found, key=lambda held: search.chance(line, turn, held, foresees=False), reverse=True)[:TRIED]
    chance, held = max(
        ((search.chance(line, turn, held, foresees=True), held) for held in tried), key=lambda each: each[0]
    )
    return BestStake(found[held], chance)


class _Search:
    """What the players who have not staked yet, by their places in the order of staking, may do."""

    def __init__(self, hopes: Hopes, players: dict[int, Player]) -> None:
        self.hopes = hopes
        self.players = players
        self._answers: dict[tuple[int, bool, tuple[Fortune, ...]], Fortune] = {}

    def stakes(self, line: Sequence[Fortune], seat: int) -> list[Purse]:
        """What a seat may stake; whoever left stakes nothing, nor can a player who has nothing."""
        player = self.players[seat]
        if not player.plays or not worth(player.purse):
            return [{}]
        return stakes(player.purse, line[:seat], line[seat + 1 :])

    def answer(self, line: Sequence[Fortune], seat: int, *, foresees: bool) -> Fortune:
        """What a seat does best if all others do as in the line, or if it `foresees` what those after it answer."""
        asked = seat, foresees, (*line[:seat], *line[seat + 1 :])
        if asked not in self._answers:
            self._answers[asked] = self._answer(line, seat, foresees=foresees)
        return self._answers[asked]

    def _answer(self, line: Sequence[Fortune], seat: int, *, foresees: bool) -> Fortune:
        def at_once(held: Fortune) -> float:
            return self.hopes.chance([*line[:seat], held, *line[seat + 1 :]], seat)

        options = [self.players[seat].staking(stake) for stake in self.stakes(line, seat)]
        if not foresees or seat == len(line) - 1:
            return max(options, key=at_once)
        if len(options) > ANSWERED:
            options = sorted(options, key=at_once, reverse=True)[:ANSWERED]
        return max(options, key=lambda held: self.chance(line, seat, held, foresees=True))

    def chance(self, line: Sequence[Fortune], seat: int, held: Fortune, *, foresees: bool) -> float:
        """How likely a seat wins that has this after its stake, once all after it answered."""
        answered = [*line[:seat], held, *line[seat + 1 :]]
        for later in range(seat + 1, len(line)):
            answered[later] = self.answer(answered, later, foresees=foresees)
        return self.hopes.chance(answered, seat)
