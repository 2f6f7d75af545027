"""The application: routes, limits, error responses."""

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from typing import Literal

from litestar import Litestar, route
from litestar.datastructures import State
from litestar.handlers import HTTPRouteHandler
from msgspec import UNSET, Struct, UnsetType

from mcmulti.api import pending
from mcmulti.api.admission.gate import EVERYBODY, Admission
from mcmulti.api.admission.rates import RateLimits
from mcmulti.api.caching.freshness import not_modified
from mcmulti.api.chat import operations as chat
from mcmulti.api.http.answers import Answer
from mcmulti.api.http.browsers import for_browsers
from mcmulti.api.http.direct import READ, Direct, refuse_bypassed, without_guests
from mcmulti.api.http.failures import answer_misrouted
from mcmulti.api.http.misrouted import counting_all
from mcmulti.api.http.received import AnyRequest, if_none_match, read_query
from mcmulti.api.logging import RequestLog
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
    status,
)
from mcmulti.api.operations.messages import data, email, notifications, webhooks
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
from mcmulti.api.request_spans import RequestSpans
from mcmulti.api.reviews import hints, puzzles
from mcmulti.api.reviews import operations as reviews
from mcmulti.api.series import operations as series
from mcmulti.api.service import Service
from mcmulti.domain.core.figures import RulesetName
from mcmulti.events.ports.log import Log
from mcmulti.notify.settings import Notify
from mcmulti.tracing import collected

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
