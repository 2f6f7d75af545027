"""The rollouts of a review: which come first, so that little time gives a coarse result, and how they are kept.

Each has a place in the game and a number. The dice of a number are the same everywhere, and a rollout depends on
nothing else: to go on from what was kept leads to what an uninterrupted review would have found.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import count, pairwise
from statistics import fmean
from time import process_time
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from mcmulti.evaluation.moves import moves_to_try
from mcmulti.evaluation.reviews.moments import CommandPlayed
from mcmulti.evaluation.rollouts import VictoryShares, dice_numbered, rolled_out, rolled_out_after
from mcmulti.library.state import State

ALTERNATIVES = 3
"""How many moves are tried in addition to the played one and that of the fast players."""
PAIR = 2
"""The fewest rollouts that have a standard error."""
OVERVIEW = 0.3
"""The part of the time in which positions all over the game are evaluated, before any decision is examined."""


class KeptSamples(Struct):
    """All rollouts so far, by place. `chances`: from each position, the one before the first command included.
    `promised`: after a command, with other dice or cards. `tried`: the chances of the seat after each alternative.
    `used`: seconds of processor time. `stride`: how far apart the positions of the overview are; 0 before it.
    """

    chances: list[list[VictoryShares]]
    promised: list[list[VictoryShares]]
    tried: list[list[list[float]] | None]
    used: float = 0.0
    stride: int = 0


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(KeptSamples).decode


class Alternatives(NamedTuple):
    """What else a seat could have done: the move of the fast players (None if they would wait), and others."""

    policy: Any
    others: tuple[Any, ...]


class Samples:
    """The rollouts of these commands. `began`: the processor time of the process when the review began. `kept`: what
    `save` returned, to go on from there.

    Raises `ValueError` if that belongs to another game.
    """

    def __init__(self, moments: Sequence[CommandPlayed], seed: int, began: float, kept: bytes = b"") -> None:
        self._moments, self._seed = moments, seed
        self._positions: list[State] = [*(moment.before for moment in moments), moments[-1].after]
        self._options: dict[int, Alternatives | None] = {}
        self._kept = self._fresh() if not kept else self._read(kept)
        self._began = began - self._kept.used

    def _fresh(self) -> KeptSamples:
        number = len(self._moments)
        return KeptSamples([[] for _ in self._positions], [[] for _ in range(number)], [None] * number)

    def _read(self, kept: bytes) -> KeptSamples:
        try:
            found = _decode(kept)
        except msgspec.DecodeError as error:
            raise ValueError(f"what was kept of a review cannot be read: {error}") from None
        places = len(self._moments)
        if (len(found.chances), len(found.promised), len(found.tried)) != (places + 1, places, places):
            raise ValueError("what was kept of a review belongs to another game")
        return found

    def save(self) -> bytes:
        """All rollouts so far."""
        self._kept.used = self.used
        return _encode(self._kept)

    @property
    def used(self) -> float:
        """Seconds of processor time, those before an interruption included."""
        return process_time() - self._began

    # What was found

    @property
    def positions(self) -> list[list[VictoryShares]]:
        """The rollouts from each position."""
        return self._kept.chances

    def promised(self, place: int) -> list[VictoryShares]:
        """What a command promised, whatever its dice; empty if that was not examined."""
        if self._again(place):
            return self._kept.promised[place]
        return self.positions[place + 1] if self.positions[place] else []

    def options(self, place: int) -> Alternatives | None:
        """What else the seat could have done; None if nothing."""
        if place not in self._options:
            self._options[place] = _options(self._moments[place], self._seed)
        return self._options[place]

    def tried(self, place: int) -> list[list[float]] | None:
        """The chances of the seat in each rollout after each of the other options; None if they were not examined."""
        return self._kept.tried[place]

    def _again(self, place: int) -> bool:
        """Whether other dice could have come after the command."""
        return self._moments[place].chance and self._moments[place].player is not None

    # What is done, and in which order

    def passes(self, number: int) -> Iterator[None]:
        """Evaluate every position and every option this many times, one rollout at a step."""
        for each in range(number):
            yield from self._whole(each)

    def until(self, seconds: float) -> Iterator[None]:
        """Continue for this much processor time, one rollout at a step. First comes an overview of the game, then
        the commands where a chance changed most, then all others, and then everything again.
        """
        for _ in self._ordered(seconds):
            yield
            if self.used >= seconds and self.positions[0] and self.positions[-1]:
                return

    def _ordered(self, seconds: float) -> Iterator[None]:
        last = len(self._positions) - 1
        for number in range(PAIR):  # a result needs at least the first and the last position
            yield from self._position(last, number)
            yield from self._position(0, number)
        stride = self._kept.stride or 1 << last.bit_length()
        while not self._kept.stride:
            began, stride = self.used, max(1, stride // 2)
            yield from self._pairs(range(0, last, stride))
            if stride == 1 or self.used + 2 * (self.used - began) > OVERVIEW * seconds:
                self._kept.stride = stride
        places = [*range(0, last, stride), last]
        for first, end in sorted(pairwise(places), key=self._change, reverse=True):
            yield from self._pairs(range(first, end))
            for place, _ in sorted(pairwise(range(first, end + 1)), key=self._change, reverse=True):
                for number in range(PAIR):
                    yield from self._examined(place, number)
        for number in count(PAIR):
            yield from self._whole(number)

    def _pairs(self, places: Iterable[int]) -> Iterator[None]:
        """Evaluate these positions."""
        for place in places:
            for number in range(PAIR):
                yield from self._position(place, number)

    def _change(self, span: tuple[int, int]) -> float:
        """How much a chance changed from one position to another."""
        before, after = (self.positions[place] for place in span)
        return max(
            abs(fmean(new) - fmean(old))
            for old, new in zip(zip(*before, strict=True), zip(*after, strict=True), strict=True)
        )

    def _whole(self, number: int) -> Iterator[None]:
        for place in range(len(self._positions)):
            yield from self._position(place, number)
        for place in range(len(self._moments)):
            yield from self._examined(place, number)

    def _examined(self, place: int, number: int) -> Iterator[None]:
        """Everything about a command."""
        moment, dice = self._moments[place], dice_numbered(self._seed, number)
        yield from self._position(place, number)
        yield from self._position(place + 1, number)
        if moment.player is None:
            return
        if self._again(place):
            promised = self._kept.promised[place]
            yield from _sampled(promised, number, partial(self._after, place, moment.action, dice))
        if self._kept.tried[place] is None:
            options = self.options(place)
            self._kept.tried[place] = [] if options is None else [[] for _ in options.others]
        tried = self._kept.tried[place]
        if tried:
            options = self.options(place)
            assert options is not None
            for action, chances in zip(options.others, tried, strict=True):
                yield from _sampled(chances, number, partial(self._own_after, place, action, dice))

    def _position(self, place: int, number: int) -> Iterator[None]:
        dice = dice_numbered(self._seed, number)
        yield from _sampled(self.positions[place], number, partial(rolled_out, self._positions[place], dice))

    def _after(self, place: int, action: Any, dice: bytes) -> VictoryShares:
        moment = self._moments[place]
        assert moment.player is not None
        return rolled_out_after(moment.before, action, moment.player, dice)

    def _own_after(self, place: int, action: Any, dice: bytes) -> float:
        moment = self._moments[place]
        assert moment.player is not None
        return self._after(place, action, dice)[moment.player]


def _sampled(samples: list[Any], number: int, sample: Callable[[], Any]) -> Iterator[None]:
    """Make the sample of this number, unless it is there: all before it are."""
    if len(samples) == number:
        samples.append(sample())
        yield


def _options(moment: CommandPlayed, seed: int) -> Alternatives | None:
    if moment.player is None:
        return None
    if moment.player not in moment.before.players_to_move():
        return Alternatives(None, ())
    moves = moves_to_try(moment.before, moment.player, ALTERNATIVES + 2, seed)
    if moves == [moment.action]:
        return None
    policy = moves[0] if moves else None
    return Alternatives(policy, tuple(action for action in moves[1:] if action != moment.action))
