"""Pages for people. They are not operations: they get their data from the operations, like any client."""

from asyncio import to_thread
from contextlib import suppress
from functools import cache
from html import escape

from litestar import route
from litestar.handlers import HTTPRouteHandler
from litestar.types import Scope

from mcmulti.api.caching.representation import FOR_EVER
from mcmulti.api.http.answers import HTML, Answer
from mcmulti.api.http.direct import READ
from mcmulti.api.http.problems import ApiError
from mcmulti.api.http.received import AnyRequest, game_id
from mcmulti.api.telling.games import games_head
from mcmulti.domain.rulesets import CURRENT
from mcmulti.web.files import site
from mcmulti.web.guides import CONTRACT, contents_page, guide_page, guides

ABOUT = "A referee for board games. Every event is in a log that anybody can check."
TITLES = {
    "lobby": "mcmulti: games",
    "account": "mcmulti: your account",
    "game": "A game at mcmulti",
    "ladder": "Ratings at mcmulti",
    "learn": "Puzzles at mcmulti",
    "series": "A series at mcmulti",
    "audit": "The books of a game at mcmulti",
    "proof": "The proof of a game at mcmulti",
    "review": "The review of a game at mcmulti",
    "docs": "The API of mcmulti",
    "guide": "The guides of mcmulti",
    "player": "A player at mcmulti",
    "rules": "The rules of games at mcmulti",
    "email": "Emails from mcmulti",
}
"""Titles of pages in link previews."""
ICON = "icons/icon-512.png"
PAGES = {
    "/account": "account",
    "/ratings": "ladder",
    "/learn": "learn",
    "/series": "series",
    "/series/{series:str}": "series",
    "/games/{game:str}": "game",
    "/games/{game:str}/audit": "audit",
    "/games/{game:str}/proof": "proof",
    "/games/{game:str}/review": "review",
    f"/docs/{CONTRACT}": "docs",
    "/players/{player:str}": "player",
    "/rules/{ruleset:str}": "rules",
    "/email/confirm": "email",
    "/v1/email/unsubscribe/{token:str}": "email",
}
"""The page at each address, except the lobby, which is at `/` for clients that ask for HTML."""
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""What a page may load and run: only what this server sends, and nothing inline."""


def page(request: AnyRequest, name: str, content: str = "", title: str | None = None) -> Answer:
    """A page of the site, which begins with `content`; `title`: for link previews, if it has its own."""
    return _page(name, content, _linked(request, title or TITLES[name]))


def missing(scope: Scope) -> Answer | None:
    """What a person gets at an unknown address; None for programs, which get a problem."""
    accept = b",".join([value for name, value in scope["headers"] if name == b"accept"])
    if HTML.encode() not in accept.lower():
        return None
    shown = _page("missing")
    shown.status_code = 404
    return shown


def _page(name: str, content: str = "", more: str = "") -> Answer:
    """A page with `more` in its head. Browsers revalidate it each time; only its files are cached."""
    headers = {"Content-Security-Policy": POLICY, "Cache-Control": "no-cache"}
    return Answer(site().page(name, "\n".join((_games(), more)), content), media_type=HTML, headers=headers)


@cache
def _games() -> str:
    """What every page knows about the games, without a request."""
    return games_head(CURRENT.values())


def _at(address: str, name: str) -> HTTPRouteHandler:
    @route(address, http_method=READ)
    async def show(request: AnyRequest) -> Answer:
        return page(request, name)

    return show


def _linked(request: AnyRequest, title: str) -> str:
    """Link previews (https://ogp.me): a game's picture or our logo, if the preview service can reach it."""
    picture = site().address(ICON)
    with suppress(KeyError, ApiError):
        picture = f"/v1/games/{game_id(request.path_params['game'])}/board.png"
    told = {
        "og:site_name": "mcmulti",
        "og:title": title,
        "og:description": ABOUT,
        "og:type": "website",
        "og:image": f"{str(request.base_url).rstrip('/')}{picture}",
    }
    return "\n".join(f'<meta property="{name}" content="{escape(text)}">' for name, text in told.items())


@route("/docs", http_method=READ)
async def list_guides(request: AnyRequest) -> Answer:
    """The list of guides. They are converted to HTML once, in a thread."""
    return page(request, "guide", await to_thread(contents_page))


@route(["/docs/{folder:str}", "/docs/{folder:str}/{guide:str}"], http_method=READ)
async def show_guide(request: AnyRequest) -> Answer:
    """A guide, which is also readable without JavaScript."""
    name = "/".join(request.path_params.values())
    content = await to_thread(guide_page, name)
    if content is not None:
        return page(request, "guide", content, guides()[name].title)
    nothing = missing(request.scope)
    if nothing is None:
        raise ApiError("not_found", "No such guide.")
    return nothing


@route("/static/{digest:str}/{path:path}", http_method=READ)
async def get_file(request: AnyRequest) -> Answer:
    """A file of the site. Under the digest of another version, it is this version's file, and must not be cached."""
    asked = request.path_params
    file = site().files.get(asked["path"].removeprefix("/"))
    if file is None:
        raise ApiError("not_found", "No such file.")
    kept = FOR_EVER if asked["digest"] == site().digest else "no-store"
    return Answer(file.body, media_type=file.media_type, headers={"Cache-Control": kept})


def _file_at(address: str, path: str, headers: dict[str, str] | None = None) -> HTTPRouteHandler:
    """A file of the site at a permanent address."""

    @route(address, http_method=READ)
    async def show() -> Answer:
        file = site().files[path]
        return Answer(file.body, media_type=file.media_type, headers=headers)

    return show


ROUTES: tuple[HTTPRouteHandler, ...] = (
    *(_at(address, name) for address, name in PAGES.items() if name in site().pages),
    list_guides,
    show_guide,
    get_file,
    _file_at("/favicon.ico", "icons/favicon.svg"),  # which browsers request, whatever a page says
    # Runs when a message arrives. At the top of the site, so that it can open every page.
    _file_at("/service-worker.js", "push/worker.js", {"Cache-Control": "no-cache"}),
    _file_at("/icon.png", "icons/icon-192.png"),  # of messages
)
