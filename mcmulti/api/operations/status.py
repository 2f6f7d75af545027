"""Where things are, and whether the server is well."""

from importlib.metadata import version

from mcmulti.api.http.answers import HTML, Answer
from mcmulti.api.http.contract import Call, answer, operation
from mcmulti.api.operations.pages import page
from mcmulti.api.telling.wire import Health, Index, Readiness
from mcmulti.supervision import failing


@operation("GET", "/", id="getIndex", tag="service", summary="Where things are", answer=Index, texts=(HTML,))
async def get_index(call: Call) -> Answer:
    """The addresses to begin with; for people, who ask for HTML, a page with the tables."""
    if call.media_type == HTML:
        shown = page(call.request, "lobby")
        shown.headers["Vary"] = "Accept"
        return shown
    index = Index("mcmulti", version("mcmulti"), "/openapi.json", "/v1/rulesets", "/v1/games")
    return answer(index, Vary="Accept")


@operation("GET", "/healthz", id="isAlive", tag="service", summary="The server runs", answer=Health)
async def is_alive(call: Call) -> Answer:
    """Answers as long as the process runs, whether or not its database does. An address may ask a hundred times a
    second.
    """
    return answer(Health("ok"), Cache_Control="no-store")


@operation("GET", "/readyz", id="isReady", tag="service", summary="The server can play", answer=Readiness)
async def is_ready(call: Call) -> Answer:
    """Answers 200 if the server can play: if its database takes what every command writes, which is tried once a second
    at most. Answers 503 if it does not. An address may ask a hundred times a second.

    Of a database that is spread over several nodes some may be `away`, and the games on the others go on. Background
    tasks that are `failing` had an unexpected error and begin again in a few seconds.
    """
    await call.service.readiness.check()
    told = Readiness("ok", tuple(call.service.log.nodes_away()), failing())
    return answer(told, Cache_Control="no-store")
