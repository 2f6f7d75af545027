"""What clients asked and were told, as Jepsen records it: an invocation, then ok, fail or info.

ok: the request was carried out. fail: it certainly was not. info: nobody knows, and it may still be.
Moments are seconds of one clock that only goes forward.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Literal, NamedTuple

Outcome = Literal["ok", "fail", "info"]


class Told(NamedTuple):
    """Where a game stands by an answer: the event and its hash."""

    seq: int
    hash: str


class Span(NamedTuple):
    """From when to when something was under way."""

    began: float
    ended: float


class Try(NamedTuple):
    """A request that was sent once. `told` is what it was answered, if it was carried out.

    `undone`: it was told that its moves were taken back since.
    """

    span: Span
    outcome: Outcome
    told: Told | None = None
    undone: bool = False


class Sent(NamedTuple):
    """What a client sends, in whose name, and under which key."""

    token: str
    path: str
    body: Mapping[str, Any]
    headers: Mapping[str, str]


class Request(NamedTuple):
    """A command that a client sent to a game under a key, the same as often as it took."""

    number: int
    game: str
    tries: list[Try]
    sent: Sent | None = None

    @property
    def outcome(self) -> Outcome:
        """What is known of the request: one try that was carried out settles it, one of unknown end leaves it open."""
        outcomes = {tried.outcome for tried in self.tries}
        return "ok" if "ok" in outcomes else "info" if "info" in outcomes else "fail"


class Seen(NamedTuple):
    """A read that was answered: the game stood there. `view`: the digest of what was shown, to the seat of `token`."""

    game: str
    told: Told
    span: Span
    token: str = ""
    view: str = ""


class Denied(NamedTuple):
    """A read of a game, or in somebody's name, that was refused: one of them is unknown.

    `since`: when the client began to register its players, before it opened the game.
    """

    game: str
    code: str
    since: float
    span: Span


class Followed(NamedTuple):
    """A stream of a game: where it began, what came, in order, and how it ended.

    `end`: the type of the last item if that was no event, "cut" if the connection broke off, "over" if it was closed in
    order, None if it was still open when all was quiet. `began`: when it was asked for.
    """

    game: str
    began: float
    first: Told
    events: Sequence["Link"]
    end: str | None


class Link(NamedTuple):
    """An event that a stream told at a moment, and the hash that it says is the one before it."""

    told: Told
    before: str
    at: float


class Use(NamedTuple):
    """A token that was sent. `anew`: to a server that was started after all that was asked of the token before."""

    span: Span
    taken: bool
    anew: bool = False


@dataclass
class Spare:
    """A further token of a player.

    `since`: when the client began to register the player. `made`: when it was told that the token is made. `revoking`:
    when it first asked to revoke it. `revoked`: from when to when the request was under way that told that it is.
    """

    token: str
    id: str
    since: float
    made: float
    revoking: float | None = None
    revoked: Span | None = None
    uses: list[Use] = field(default_factory=list)


class Outage(NamedTuple):
    """From when to when nobody kept time, in seconds, as a transaction noted that gave it back."""

    transaction: str
    began: float
    ended: float


class Moved(NamedTuple):
    """A transaction moved the deadline of a game by so many seconds, though nothing happened in it."""

    transaction: str
    game: str
    seconds: float


class Rewind(NamedTuple):
    """The log went back to where it stood before.

    `kept`: what was acknowledged before this moment is in the backup. `span`: from when to when the backup took the
    place of the log. `gone`: the events that it lost, by game; None if nobody could look.
    """

    kept: float
    span: Span
    gone: Set[tuple[str, Told]] | None

    def may_lose(self, span: Span) -> bool:
        """Whether what was under way then may be gone: it may have come behind the backup, and before its return."""
        return span.ended >= self.kept and span.began <= self.span.ended


class History:
    """Everything that all clients did, and when the log went back."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.seen: list[Seen] = []
        self.denied: list[Denied] = []
        self.followed: list[Followed] = []
        self.rewinds: list[Rewind] = []
        self.spares: list[Spare] = []
        self.repeated: list[tuple[Request, Try]] = []
        """Requests that were sent once more when all was quiet, and what they were answered then."""
        self.outages: list[Outage] = []
        self.moved: list[Moved] = []
        self.complaints: list[str] = []
        """Promises that were not kept, each in a sentence: an answer 500, a server that ended by itself."""
        self._numbers = count(1)

    def invoke(self, game: str, sent: Sent | None = None) -> Request:
        """A client begins a request."""
        request = Request(next(self._numbers), game, [], sent)
        self.requests.append(request)
        return request

    def number(self, outcome: Outcome) -> int:
        """How many requests ended so."""
        return sum(request.outcome == outcome for request in self.requests)

    def tries(self) -> int:
        """How many tries there were in all."""
        return sum(len(request.tries) for request in self.requests)

    def games(self) -> Sequence[str]:
        """The games that anybody sent commands to."""
        return sorted({request.game for request in self.requests})
