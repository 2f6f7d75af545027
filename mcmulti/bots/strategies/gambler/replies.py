"""The search: for each stake, how later players answer, and the resulting probability of winning."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mcmulti.bots.strategies.gambler.hopes import Fortune, Hopes
from mcmulti.bots.strategies.gambler.pieces import Purse, chips, without, worth
from mcmulti.bots.strategies.gambler.stakes import stakes, usual

CARDS = {5: 50, 50: 500}
"""The next pension card after each."""
TRIED = 6
"""How many of its own stakes are searched through all answers: the best by a first estimate without foresight."""
ANSWERED = 3
"""How many stakes of each player in between are searched; for the last player, all."""


class Player(NamedTuple):
    """A seat before its stake: its property, and whether it is occupied."""

    purse: Purse
    card: int
    plays: bool

    def staking(self, stake: Purse) -> Fortune:
        """Its property after this stake."""
        staked = worth(stake)
        return Fortune(worth(self.purse) - staked, staked, chips(self.purse), self.card, self.plays)

    def buying(self, paid: Purse) -> "Player":
        """Its property after buying the next card with these pieces."""
        return Player(without(self.purse, paid), CARDS[self.card], self.plays)


class BestStake(NamedTuple):
    """A stake, and the probability of winning with it."""

    stake: Purse
    chance: float


def best_stake(hopes: Hopes, staked: Sequence[Fortune], me: Player, after: Sequence[Player]) -> BestStake:
    """The stake with the highest probability of winning; of several, the first.

    Each player in `after` is assumed to answer in the same way, foreseeing those who follow in turn.
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
    """The possible stakes of the players who have not staked yet, by their indices in staking order."""

    def __init__(self, hopes: Hopes, players: dict[int, Player]) -> None:
        self.hopes = hopes
        self.players = players
        self._answers: dict[tuple[int, bool, tuple[Fortune, ...]], Fortune] = {}

    def stakes(self, line: Sequence[Fortune], seat: int) -> list[Purse]:
        """The possible stakes of a seat; a vacant seat stakes nothing, and neither can a player without money."""
        player = self.players[seat]
        if not player.plays or not worth(player.purse):
            return [{}]
        return stakes(player.purse, line[:seat], line[seat + 1 :])

    def answer(self, line: Sequence[Fortune], seat: int, *, foresees: bool) -> Fortune:
        """The best answer of a seat if all others act as in the line, or if it `foresees` the answers of those after
        it.
        """
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
        """The probability that a seat wins that has this after its stake, once all after it answered."""
        answered = [*line[:seat], held, *line[seat + 1 :]]
        for later in range(seat + 1, len(line)):
            answered[later] = self.answer(answered, later, foresees=foresees)
        return self.hopes.chance(answered, seat)
