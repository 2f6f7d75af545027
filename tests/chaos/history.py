"""What clients asked and were told, as Jepsen records it: an invocation, then ok, fail or info.

ok: the request was carried out. fail: it certainly was not. info: nobody knows, and it may still be.
"""

from collections.abc import Sequence
from itertools import count
from typing import Literal, NamedTuple

Outcome = Literal["ok", "fail", "info"]


class Told(NamedTuple):
    """Where a game stands by an answer: the event and its hash."""

    seq: int
    hash: str


class Request(NamedTuple):
    """Commands that a client sent to a game under a key, the same as often as it took.

    `outcomes` are those of the single tries, in order. `told` is what the first ok answered, and `again` what further
    ones did, each with the numbers of the commands' events.
    """

    number: int
    game: str
    key: str
    outcomes: list[Outcome]
    told: list[Told]

    @property
    def outcome(self) -> Outcome:
        """What is known of the request: one try that was carried out settles it, one of unknown end leaves it open."""
        if "ok" in self.outcomes:
            return "ok"
        return "info" if "info" in self.outcomes else "fail"


class Seen(NamedTuple):
    """A read that was answered: the game stood there."""

    game: str
    told: Told


class History:
    """Everything that all clients did."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.seen: list[Seen] = []
        self._numbers = count(1)

    def invoke(self, game: str, key: str) -> Request:
        """A client begins a request."""
        request = Request(next(self._numbers), game, key, [], [])
        self.requests.append(request)
        return request

    def read(self, game: str, told: Told) -> None:
        """A client was shown a game."""
        self.seen.append(Seen(game, told))

    def number(self, outcome: Outcome) -> int:
        """How many requests ended so."""
        return sum(request.outcome == outcome for request in self.requests)

    def tries(self) -> int:
        """How many tries there were in all."""
        return sum(len(request.outcomes) for request in self.requests)

    def games(self) -> Sequence[str]:
        """The games that anybody sent commands to."""
        return sorted({request.game for request in self.requests})
