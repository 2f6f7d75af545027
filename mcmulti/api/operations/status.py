"""The index, and the health of the server."""

from importlib.metadata import version

from mcmulti.api.http.answers import HTML, Answer
from mcmulti.api.http.contract import Call, answer, operation
from mcmulti.api.operations.pages import page
from mcmulti.api.telling.wire import Health, Index, Readiness
from mcmulti.supervision import failing


@operation("GET", "/", tag="service", summary="Show the entry points", answer=Index, texts=(HTML,))
async def get_index(call: Call) -> Answer:
    """Returns the addresses to start from. For people, whose browsers ask for HTML, it returns a page with
    the tables.
    """
    if call.media_type == HTML:
        shown = page(call.request, "lobby")
        shown.headers["Vary"] = "Accept"
        return shown
    index = Index(
        "mcmulti", version("mcmulti"), "/openapi.json", "/v1/rulesets", "/v1/games", call.service.chats is not None
    )
    return answer(index, Vary="Accept")


@operation("GET", "/healthz", tag="service", summary="Check whether the server runs", answer=Health)
async def is_alive(call: Call) -> Answer:
    """Responds as long as the process runs, whether or not its database does. An address may ask a hundred times per
    second.
    """
    return answer(Health("ok"), Cache_Control="no-store")


@operation("GET", "/readyz", tag="service", summary="Check whether the server can play", answer=Readiness)
async def is_ready(call: Call) -> Answer:
    """Returns 200 if the database accepts writes, which is tried at most once a second, and 503 if it does not. An
    address may ask a hundred times per second.

    If a database is spread over several nodes, some may be `away`, and games on the other nodes continue. Background
    tasks that are `failing` had an unexpected error and restart in a few seconds.
    """
    await call.service.readiness.check()
    told = Readiness("ok", tuple(call.service.log.nodes_away()), failing())
    return answer(told, Cache_Control="no-store")
