"""The application: routes, limits, error responses, spans of requests."""

from collections.abc import Sequence
from contextlib import suppress
from functools import cache, partial
from hashlib import sha256
from typing import Any, Literal

from litestar import Litestar, route
from litestar.datastructures import State
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from msgspec import UNSET, Struct, UnsetType

from mcmulti.api import pending
from mcmulti.api.admission.gate import EVERYBODY, Admission
from mcmulti.api.admission.rates import RateLimits
from mcmulti.api.chat import operations as chat
from mcmulti.api.http.answers import Answer, not_modified
from mcmulti.api.http.browsers import for_browsers
from mcmulti.api.http.contract import Operation
from mcmulti.api.http.direct import READ, Direct, refuse_bypassed, without_guests
from mcmulti.api.http.failures import answer_misrouted, answer_problem
from mcmulti.api.http.problems import ApiError
from mcmulti.api.http.received import AnyRequest, game_id, if_none_match, read_query
from mcmulti.api.logging import RequestLog, note, request_id
from mcmulti.api.messages import data, email, notifications, webhooks
from mcmulti.api.openapi import document
from mcmulti.api.operations import (
    accounts,
    branches,
    games,
    invitations,
    orders,
    pages,
    phrases,
    play,
    players,
    rematch,
    series,
    status,
)
from mcmulti.api.operations.pages import missing
from mcmulti.api.operations.players import known
from mcmulti.api.readings import (
    boards,
    books,
    files,
    guides,
    log,
    pictures,
    positions,
    proof,
    ratings,
    replay,
    reports,
)
from mcmulti.api.reviews import hints, puzzles
from mcmulti.api.reviews import operations as reviews
from mcmulti.api.service import Service
from mcmulti.domain.core.figures import RulesetName
from mcmulti.events.ports.log import Log
from mcmulti.metrics import NO_OPERATION
from mcmulti.notify.settings import Notify
from mcmulti.tracing import collected, span

ROUTES: tuple[HTTPRouteHandler, ...] = (
    status.get_index,
    status.is_alive,
    status.is_ready,
    proof.list_keys,
    players.register_player,
    accounts.get_me,
    accounts.rename_me,
    accounts.erase_me,
    pending.announce_action,
    pending.cancel_action,
    accounts.replace_owner_token,
    accounts.list_tokens,
    accounts.make_token,
    accounts.revoke_other_tokens,
    accounts.revoke_token,
    webhooks.list_webhooks,
    webhooks.add_webhook,
    webhooks.remove_webhook,
    webhooks.rotate_webhook_secret,
    webhooks.test_webhook,
    data.get_my_data,
    notifications.get_notifications,
    notifications.set_notifications,
    notifications.set_game_notifications,
    notifications.reset_game_notifications,
    email.confirm_email,
    email.unsubscribe_email,
    players.get_player,
    ratings.list_ratings,
    players.list_rulesets,
    players.get_ruleset,
    guides.get_guide,
    guides.draw_example,
    games.open_game,
    games.list_games,
    games.follow_lobby,
    files.download_games,
    games.get_game,
    ratings.get_rating,
    invitations.list_invitations,
    invitations.change_invitations,
    rematch.open_rematch,
    chat.read_chat,
    chat.say,
    chat.remove_message,
    chat.flag_message,
    branches.open_branch,
    series.open_series,
    series.get_series,
    puzzles.list_puzzles,
    puzzles.draw_puzzle,
    reviews.ask_for_review,
    reviews.get_review,
    hints.ask_for_hint,
    play.take_seat,
    play.list_offers,
    phrases.read_phrase,
    play.send_commands,
    orders.forecast_orders,
    orders.forecast_text,
    orders.list_orders,
    log.list_events,
    log.follow_games,
    boards.list_boards,
    pictures.draw_board,
    pictures.write_board,
    pictures.share_board,
    proof.get_proof,
    files.get_game_file,
    books.get_ledger,
    books.get_balances,
    books.get_statements,
    books.get_flows,
    books.get_hledger_journal,
    books.get_beancount_journal,
    replay.replay_game,
    reports.get_game_report,
    reports.list_rounds,
    reports.get_round_report,
    pictures.draw_chart,
    reports.get_statistics,
    positions.get_position,
)


class ContractQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`ruleset`: narrow the document to this rule set. `part`: `bots` for the few operations that bots need."""

    ruleset: RulesetName | UnsetType = UNSET
    part: Literal["bots"] | UnsetType = UNSET


@route("/openapi.json", http_method=READ)
async def get_openapi(request: AnyRequest) -> Answer:
    query = read_query(request, ContractQuery)
    ruleset = None if isinstance(query.ruleset, UnsetType) else known(query.ruleset).name
    content, tag = _document(ruleset, query.part == "bots")
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    return not_modified(request.scope, if_none_match(request), tag, "Accept-Encoding") or Answer(
        content, media_type="application/vnd.oai.openapi+json;version=3.1", headers=headers
    )


@cache
def _document(ruleset: str | None, bots: bool) -> tuple[bytes, str]:
    """The OpenAPI document, complete or narrowed to a rule set or to what bots need, and its entity tag."""
    content = document(ROUTES, ruleset, bots=bots)
    return content, f'"{sha256(content).hexdigest()}"'


def _options(path: str, handlers: Sequence[HTTPRouteHandler]) -> HTTPRouteHandler:
    """The handler of OPTIONS. Litestar's own lists only the methods of the first route at an address."""
    methods = {method for handler in handlers if path in handler.paths for method in handler.http_methods}
    allow = ", ".join(sorted({*methods, "OPTIONS"}))

    @route(path, http_method="OPTIONS")
    async def options() -> Answer:
        return Answer(status_code=204, headers={"Allow": allow})

    return options


def application(
    log: Log,
    admission: Admission = EVERYBODY,
    *,
    access_log: bool = False,
    house_bots: bool = False,
    makes_reviews: bool = False,
    notify: Notify | None = None,
    routes: Sequence[HTTPRouteHandler] = ROUTES,
) -> Litestar:
    """The API over an open log. `access_log`: log every request. `house_bots`: whether the server runs bots.
    `makes_reviews`: whether it reviews games. `notify`: how it sends messages to players, if it does.

    Raises RuntimeError for a route that uses Litestar features which operations bypass.
    """
    service = Service(log, admission, house_bots=house_bots, reviews=makes_reviews, notify=notify)
    handlers = (*routes, get_openapi, *pages.ROUTES)
    paths = sorted({path for handler in handlers for path in handler.paths})
    limited = admission.rate_limit or admission.bot_requests or admission.processor_time or admission.stored_bytes
    limits = [RateLimits(admission, service)] if limited else []
    requests = RequestLog(every=access_log)
    layers = [requests, *([RequestSpans()] if collected() else []), *limits]
    app = Litestar(
        route_handlers=[*(_options(path, handlers) for path in paths), *handlers],
        middleware=[*layers, Direct()],
        exception_handlers={Exception: answer_misrouted},
        openapi_config=None,
        logging_config=None,
        on_app_init=[without_guests],
        state=State({"service": service, "requests": requests}),
        debug=False,
    )
    refuse_bypassed(app)
    app.asgi_handler = for_browsers(counting_all(app.asgi_router, app.asgi_handler, layers), admission.origins)
    return app


class RequestSpans(ASGIMiddleware):
    """Begins a span around a request. Client `traceparent` headers are ignored, since anybody could send them."""

    scopes = (ScopeType.HTTP,)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Pass the request on, in a span."""
        handler: Any = scope.get("route_handler")
        declared: Operation | None = None if handler is None else handler.opt.get("operation")
        method = str({**scope}.get("method"))
        facts = {"http.request.method": method, "request_id": request_id()}
        if declared is not None:
            facts["http.route"] = declared.path
            game = scope["path_params"].get("game", "")
            with suppress(ApiError):  # otherwise it is free text of the client
                facts["game_id"] = str(game_id(game))

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                answered.set_attributes(**{"http.response.status_code": message["status"]})
            await send(message)

        with span(declared.id if declared else NO_OPERATION, **facts) as answered:
            if answered.trace_id:
                note(trace_id=answered.trace_id)
            await next_app(scope, receive, send_on)


def counting_all(router: ASGIApp, otherwise: ASGIApp, layers: Sequence[ASGIMiddleware]) -> ASGIApp:
    """The application with these layers around the router, the outermost first, so that its own refusals pass them too.

    Litestar has layers only around handlers. `otherwise` takes what is not HTTP.
    """

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await otherwise(scope, receive, send)
            return
        try:
            await router(scope, receive, send)
        except HTTPException as error:
            if "route_handler" in {**scope}:  # set once there is a route
                raise
            refused: ASGIApp = (missing(scope) if error.status_code == 404 else None) or answer_problem(error)
            for layer in reversed(layers):
                refused = partial(layer.handle, next_app=refused)
            await refused(scope, receive, send)

    return answer
