"""Limits of requests: each player, or each address, has a number of them, and processor time, in a window.

A token counts once its player is known here. Until then, its requests count for their address, so that invented tokens
gain nothing. A request counts as many as its operation declares (`cost`). Its actual processor time is charged to its
player and to all people, or all bots, at its address, whose budget does not grow with their number. The bytes that it
adds to the database are charged to the latter. All bots together have an additional limit, so that the rest of the
server is left for people, however many bots there are.
"""

from typing import Any
from uuid import UUID

from limits import RateLimitItemPerSecond
from litestar import Request
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from mcmulti.api.admission.gate import Admission
from mcmulti.api.admission.quotas import (
    OUTSET,
    Bill,
    Budgets,
    Charge,
    Quotas,
    StoredBytes,
    address_of,
    here,
    joined,
    limit_of,
)
from mcmulti.api.http.contract import DEAR, Operation
from mcmulti.api.http.failures import answer_problem
from mcmulti.api.http.problems import ApiError
from mcmulti.api.http.received import AnyRequest, accepted, read_query
from mcmulti.api.service import Service
from mcmulti.events.ports.accounts import Player
from mcmulti.metering import NOBODY, Meter, Payer, begin, end, stepped

HEALTH = "1000/10 seconds"
"""Health checks that an address may send: enough that no monitor is ever refused."""
EACH = 2.5
"""Expected milliseconds of a request, for each that it counts as, until one of its kind was seen."""
TOGETHER = 1.5
"""The budget of all people at an address, as a multiple of a player's: by default, three quarters of a worker.
Loopback addresses have no limit, since house bots and the operator's programs use them."""
READS = ("GET", "HEAD", "OPTIONS")
"""Methods that add nothing to the database."""
CHANGE_BYTES = 512
"""Bytes that any other successful request counts as, in addition to events and messages: it may add a row."""
LONG = 1000
"""Events of a game of average length. In a longer one, reading the whole game is expected to take longer."""


class RateLimits(ASGIMiddleware):
    """Refuses requests over a limit with 429. Health checks have a limit of their own, for monitors."""

    scopes = (ScopeType.HTTP,)

    def __init__(self, admission: Admission, service: Service) -> None:
        self._service = service
        self._quotas = Quotas({"requests": admission.rate_limit, "bot_requests": admission.bot_requests})
        self._health = Quotas({"requests": HEALTH})
        self._budgets: Budgets | None = None
        """Of players, and of addresses for requests without one."""
        self._together: Budgets | None = None
        """Of all at an address."""
        if admission.processor_time is not None:
            each = limit_of(admission.processor_time)
            together = RateLimitItemPerSecond(int(each.amount * TOGETHER), each.get_expiry())
            self._budgets = Budgets(each)
            self._together = Budgets(together, whose=" for all who ask from your address")
        stored = admission.stored_bytes
        self._stored = None if stored is None else StoredBytes(limit_of(stored))

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Count the request, and pass it on if it is within the limits."""
        address, told = address_of(scope), dict[str, str]()
        try:
            if scope["path"] in ("/healthz", "/readyz"):
                await self._health.charge(Charge("requests", address))
                await next_app(scope, receive, send)
                return
            player, declared = self._caller(scope), _counts_as(scope)
            who = address if player is None else player.player_id.hex
            charges, group = [Charge("requests", who, declared)], address
            if player is not None and player.kind == "bot":
                charges.append(Charge("bot_requests", "all bots", declared))
                group = f"bots at {address}"
            together = None if here(address) else group
            try:
                told = await self._quotas.charge(*charges)
                stored = self._storing(scope, together)
            except ApiError:  # a refusal is charged too
                if self._budgets is not None:
                    self._budgets.charge(who, OUTSET)
                raise
            bills = self._billed(scope, together, who, declared)
        except ApiError as over:
            over.headers |= joined(told, over.headers)
            await answer_problem(over)(scope, receive, send)
            return
        meter = Meter(Payer(address, who))

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                found = [bill.answered(meter) for bill in bills]
                headers = joined(told, found[0]) if found else told
                lines = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
                message["headers"] = [*message["headers"], *lines]
                if stored is not None and message["status"] < 400:
                    stored.charge(group, CHANGE_BYTES)
            else:
                _settle(bills, meter)
            await send(message)

        begun = begin(meter)
        try:
            await stepped(next_app(scope, receive, send_on))  # type: ignore[arg-type]
        finally:
            end(begun)
            _settle(bills, meter)
            if stored is not None and meter.stored:
                stored.charge(group, meter.stored)

    def _storing(self, scope: Scope, group: str | None) -> StoredBytes | None:
        """What a request that may add something to the database is charged to. Raises a problem if nothing is left."""
        if self._stored is None or group is None or {**scope}["method"] in READS:
            return None
        self._stored.room(group)
        return self._stored

    def _billed(self, scope: Scope, group: str | None, who: str, declared: int) -> list[Bill]:
        """The bills of an admitted request: its caller's, and that of the people or the bots at its address.

        The longer its game, the higher the expected cost.
        """
        if self._budgets is None or self._together is None:
            return []
        at: dict[str, Any] = {**scope}
        events = self._events(at.get("path_params", {}).get("game"))
        kind = at.get("route_handler"), declared.bit_length(), events.bit_length()
        first = EACH * declared * (max(1, events / LONG) if declared >= DEAR else 1)
        bills: list[Bill] = []
        try:
            bills.append(self._budgets.admit(who, kind, first))
            if group is not None:
                bills.append(self._together.admit(group, kind, first))
        except ApiError:
            _settle(bills, Meter(NOBODY))
            raise
        return bills

    def _events(self, game: str | None) -> int:
        """The number of events of the game in a path, as far as it is known here."""
        try:
            return 0 if game is None else self._service.referee.length_at_hand(UUID(game))
        except ValueError:
            return 0

    def _caller(self, scope: Scope) -> Player | None:
        for name, value in scope["headers"]:
            if name == b"authorization":
                return self._service.callers.seen(value.decode("latin-1"))
        return None


def _settle(bills: list[Bill], meter: Meter) -> None:
    for bill in bills:
        bill.settle(meter)


def _counts_as(scope: Scope) -> int:
    """How many requests a request counts as. Without a matching operation, or with an invalid query, it
    takes no time.
    """
    handler = {**scope}.get("route_handler")
    declared: Operation | None = None if handler is None else handler.opt.get("operation")  # type: ignore[attr-defined]
    if declared is None:
        return 1
    if isinstance(declared.cost, int):
        return declared.cost
    request: AnyRequest = Request(scope)
    try:
        return declared.cost(read_query(request, declared.query), accepted(request, declared.media_types))
    except ApiError:
        return 1
