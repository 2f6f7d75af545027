"""What clients requested and received, recorded as in Jepsen: an invocation, then ok, fail, or info.

ok: the request was carried out. fail: it certainly was not. info: nobody knows, and it may still be. Times are seconds
of one monotonic clock.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Literal, NamedTuple

Outcome = Literal["ok", "fail", "info"]


class Told(NamedTuple):
    """Where a game stands according to a response: the event and its hash."""

    seq: int
    hash: str


class Span(NamedTuple):
    """The start and the end of something."""

    began: float
    ended: float


class Try(NamedTuple):
    """One try of a request. `told`: the response, if it was carried out.

    `undone`: according to the response, its moves were taken back since.
    """

    span: Span
    outcome: Outcome
    told: Told | None = None
    undone: bool = False


class Sent(NamedTuple):
    """What a client sends, on whose behalf, and under which key."""

    token: str
    path: str
    body: Mapping[str, Any]
    headers: Mapping[str, str]


class Request(NamedTuple):
    """A command that a client sent to a game under a key, the same in each try."""

    number: int
    game: str
    tries: list[Try]
    sent: Sent | None = None

    @property
    def outcome(self) -> Outcome:
        """The state of the request: one try that was carried out settles it, one with an unknown end leaves it open."""
        outcomes = {tried.outcome for tried in self.tries}
        return "ok" if "ok" in outcomes else "info" if "info" in outcomes else "fail"


class Seen(NamedTuple):
    """A read with a response: the game stood there. `view`: the digest of the view, for the seat of `token`."""

    game: str
    told: Told
    span: Span
    token: str = ""
    view: str = ""


class Denied(NamedTuple):
    """A refused read of a game, or on a player's behalf: one of them is unknown.

    `since`: when the client began to register its players, before it opened the game.
    """

    game: str
    code: str
    since: float
    span: Span


class Followed(NamedTuple):
    """A stream of a game: where it began, the events in order, and how it ended.

    `end`: the type of the last item if that was not an event, "cut" if the connection broke off, "over" if it was
    closed properly, None if it was still open when all was quiet. `began`: the time of the request.
    """

    game: str
    began: float
    first: Told
    events: Sequence["Link"]
    end: str | None


class Link(NamedTuple):
    """An event in a stream, its time, and its hash of the previous event."""

    told: Told
    before: str
    at: float


class Use(NamedTuple):
    """A token that was sent. `anew`: to a server that was started after all earlier requests about the token."""

    span: Span
    taken: bool
    anew: bool = False


@dataclass
class Spare:
    """A further token of a player.

    `since`: when the client began to register the player. `made`: when the response with the token came. `revoking`:
    when the client first asked to revoke it. `revoked`: the span of the request that reported the revocation.
    """

    token: str
    id: str
    since: float
    made: float
    revoking: float | None = None
    revoked: Span | None = None
    uses: list[Use] = field(default_factory=list)


class Outage(NamedTuple):
    """The start and the end of an outage, in seconds, as recorded by the transaction that gave it back."""

    transaction: str
    began: float
    ended: float


class Moved(NamedTuple):
    """A transaction moved the deadline of a game by this many seconds, although nothing happened in it."""

    transaction: str
    game: str
    seconds: float


class Rewind(NamedTuple):
    """The log went back to an earlier state.

    `kept`: what was acknowledged before this time is in the backup. `span`: while the backup replaced the log. `gone`:
    the events that it lost, by game. None if nobody could look.
    """

    kept: float
    span: Span
    gone: Set[tuple[str, Told]] | None

    def may_lose(self, span: Span) -> bool:
        """Whether a request of that time may be gone: after the backup, and before its return."""
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
        """Requests that were repeated when all was quiet, and their responses."""
        self.outages: list[Outage] = []
        self.moved: list[Moved] = []
        self.complaints: list[str] = []
        """Broken promises, each in a sentence: a 500 response, a server that ended by itself."""
        self._numbers = count(1)

    def invoke(self, game: str, sent: Sent | None = None) -> Request:
        """A client begins a request."""
        request = Request(next(self._numbers), game, [], sent)
        self.requests.append(request)
        return request

    def number(self, outcome: Outcome) -> int:
        """The number of requests that ended like this."""
        return sum(request.outcome == outcome for request in self.requests)

    def tries(self) -> int:
        """The total number of tries."""
        return sum(len(request.tries) for request in self.requests)

    def games(self) -> Sequence[str]:
        """The games that any client sent commands to."""
        return sorted({request.game for request in self.requests})
