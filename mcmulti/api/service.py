"""Shared state of the routes: the log, the referee, and the caller."""

import hmac
import secrets
import time
from base64 import urlsafe_b64encode
from datetime import timedelta
from hashlib import sha256
from typing import NamedTuple, TypeVar
from uuid import UUID

from mcmulti.api.admission.callers import COMPANION, Callers
from mcmulti.api.admission.companions import at_the_table
from mcmulti.api.admission.gate import EVERYBODY, Admission
from mcmulti.api.admission.open_games import OpenGames
from mcmulti.api.admission.quotas import Charge, Quotas, address_of
from mcmulti.api.admission.series import SeriesDesk
from mcmulti.api.admission.unsent import Unsent
from mcmulti.api.caching.bodies import ResponseCache
from mcmulti.api.caching.folds import Folds
from mcmulti.api.chat.live import ChatFeeds
from mcmulti.api.http.apart import Apart
from mcmulti.api.http.problems import ApiError, Quota, unauthenticated
from mcmulti.api.http.received import AnyRequest, header
from mcmulti.api.readiness import ReadinessProbe
from mcmulti.api.reviews.live import ReviewFeeds
from mcmulti.api.streams.game import Presence
from mcmulti.api.streams.lobby import Lobby
from mcmulti.api.streams.player import Turns
from mcmulti.api.telling.ladder import LadderBoard
from mcmulti.api.telling.names import NameBook
from mcmulti.api.telling.tables import Tables
from mcmulti.events.log.positions import Position
from mcmulti.events.log.signing import SigningKey
from mcmulti.events.ports.accounts import Holder, Player, Scope
from mcmulti.events.ports.log import Log
from mcmulti.events.store.lru_cache import LruCache
from mcmulti.notify.settings import Notify
from mcmulti.projections.pictures.painting import Painter, painted
from mcmulti.projections.reviews import Hinter
from mcmulti.referee.clock import SteadyClock
from mcmulti.referee.referee import Referee

KEY_SECONDS = 10.0
"""How long the signing key is cached."""
Caller = TypeVar("Caller", Holder, Player)

SEATINGS = 10_000
"""The number of moments of games that are cached."""


class Seating(NamedTuple):
    """A game after some event, which never changes: the position without its state, who sat where, and who ever had."""

    position: Position
    players: tuple[str | None, ...]
    everybody: tuple[str, ...]


class Service:
    """One server's log and referee. Tokens are stored only as SHA-256. `house_bots`: whether the server runs bots.
    `reviews`: whether it reviews games.

    `notify`: how it sends messages to players; None if it sends none.
    """

    def __init__(
        self,
        log: Log,
        admission: Admission = EVERYBODY,
        *,
        house_bots: bool = False,
        reviews: bool = False,
        notify: Notify | None = None,
    ) -> None:
        self.log = log
        self.house_bots = house_bots
        self.reviews = reviews
        self.hints: Hinter | None = None
        """Computes hints; None if the server gives none."""
        self.notify = notify
        self.open_games = OpenGames(log, admission.open_games)
        self.second_step = timedelta(hours=admission.second_step)
        self.clock = SteadyClock()
        self.referee = Referee(log, self.clock)
        self.series = SeriesDesk(self.referee)
        self.callers = Callers(log, self.clock)
        self.names = NameBook(log, self.callers)
        self.presence = Presence()
        self.tables = Tables(log, self.referee, self.names)
        self.turns = Turns(log, self.referee, self.tables)
        self.ladder = LadderBoard(log, self.referee)
        self.lobby = Lobby(log, self.referee, self.tables, self.callers)
        self.chats = ChatFeeds(log) if admission.chat else None
        """Follows the chats of tables; None if the server has no chat."""
        self.review_feeds = ReviewFeeds(log, self.referee.history)
        self.responses = ResponseCache()
        self.unsent = Unsent()
        self.apart = Apart()
        self.paint: Painter = self._paint
        self.folds = Folds(self.referee, self.apart)
        self.readiness = ReadinessProbe(log)
        self.seatings: LruCache[tuple[UUID, int], Seating] = LruCache(SEATINGS)
        self._key: tuple[SigningKey, float] | None = None
        self.events = None if admission.events is None else Quotas({"events": admission.events})
        """Counts the events that the commands of each player lead to; None if they are not limited."""
        self.quotas = Quotas(
            {
                "registrations": admission.registrations,
                "new_games": admission.new_games,
                "bot_games": admission.bot_games,
                "review_seconds": admission.review_seconds,
            }
        )
        self.referee.forgetters.append(self._forget)

    def stop(self) -> None:
        """End all streams and long polls, because the server stops."""
        self.referee.end_feeds()
        self.turns.stop()
        self.lobby.stop()
        self.review_feeds.stop()

    async def _paint(self, document: str) -> bytes:
        return await self.apart(painted, document)

    def _forget(self) -> None:
        """The log went back: cached responses and accounts may no longer be true."""
        self.responses.clear()
        self.tables.forget()
        self.series.forget()
        self.seatings.clear()
        self.callers.forget()
        self._key = None

    async def count(self, quota: Quota, request: AnyRequest, caller: Player | None) -> dict[str, str]:
        """Charge something permanent to the caller and to its address.

        What bots open has its own quota, and takes nothing from people. Returns headers with the remainder. Raises a
        problem if there is none left.
        """
        if quota == "new_games" and caller is not None and caller.kind == "bot":
            quota = "bot_games"
        players = [] if caller is None else [caller.player_id.hex]
        return await self.quotas.charge(*(Charge(quota, who) for who in (*players, address_of(request.scope))))

    async def token_of(self, what: str, key: str | None) -> tuple[str, bytes]:
        """The bearer token that a request for `what` gets, with a key always the same, and its hash.

        Nothing must be stored for that, see `drawn`.
        """
        token = f"mcm_{urlsafe_b64encode(await self.drawn(what, key)).decode().rstrip('=')}"
        return token, sha256(token.encode()).digest()

    async def drawn(self, what: str, key: str | None) -> bytes:
        """32 bytes for `what` that nobody can guess: random ones, or with a key always the same for this key.

        Those follow from the key and from the secret that the log stores for the server.
        """
        if key is None:
            return secrets.token_bytes(32)
        signer = await self.log.signer(secrets.token_bytes(32))
        return hmac.digest(signer.seed, f"mcmulti {what} v1\n{key}".encode(), "sha256")

    async def signing_key(self) -> SigningKey:
        """The key that signs heads. The log stores it, and gets a new one if it has none yet."""
        now = time.monotonic()
        if self._key is None or now >= self._key[1]:
            self._key = await self.log.signer(secrets.token_bytes(32)), now + KEY_SECONDS
        return self._key[0]

    async def holder(self, request: AnyRequest, scope: Scope) -> Holder | None:
        """Who sends the request; None without a token. Raises a problem if nobody holds the token, if its scope is not
        sufficient, and for an unknown companion.
        """
        credentials = header(request, b"authorization")
        if credentials is None:
            return None
        holder = await self.callers.holder(credentials)
        if holder is None:
            raise unauthenticated("Unknown bearer token. It may have been revoked.")
        if scope not in holder.token.scopes:
            allowed = ", ".join(holder.token.scopes)
            raise ApiError("missing_scope", f"This requires a token with the scope {scope!r}. Yours has: {allowed}.")
        return at_the_table(holder, credentials, request.scope) if COMPANION in credentials else holder

    def payer(self, request: AnyRequest, caller: Player) -> Player:
        """Who is charged for what a caller does: for a companion, the player who acts for it."""
        credentials = header(request, b"authorization") or ""
        return (self.callers.seen(credentials) if COMPANION in credentials else None) or caller


def identified(caller: Caller | None) -> Caller:
    """Who sends a request. Raises a problem if it has no token."""
    if caller is None:
        raise unauthenticated("Send the token that POST /v1/players gave you as 'Authorization: Bearer <token>'.")
    return caller
