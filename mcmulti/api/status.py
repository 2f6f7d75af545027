"""Where things are, and whether the server is well."""

from importlib.metadata import version

from litestar import get

from mcmulti.api.answers import Answer
from mcmulti.api.contract import AnyRequest, NoQuery, Operation, answer, query
from mcmulti.api.service import service
from mcmulti.api.wire import Health, Index


@get(
    "/",
    opt={"operation": Operation(id="getIndex", tag="service", summary="Where things are", answer=Index, query=NoQuery)},
)
async def get_index(request: AnyRequest) -> Answer:
    query(request, NoQuery)
    return answer(Index("mcmulti", version("mcmulti"), "/openapi.json", "/v1/rulesets", "/v1/games"))


@get(
    "/healthz",
    opt={"operation": Operation(id="isAlive", tag="service", summary="The server runs", answer=Health, query=NoQuery)},
)
async def is_alive(request: AnyRequest) -> Answer:
    query(request, NoQuery)
    return answer(Health("ok"), Cache_Control="no-store")


@get(
    "/readyz",
    opt={
        "operation": Operation(
            id="isReady", tag="service", summary="The server and its database answer", answer=Health, query=NoQuery
        )
    },
)
async def is_ready(request: AnyRequest) -> Answer:
    query(request, NoQuery)
    await service(request).log.ready()
    return answer(Health("ok"), Cache_Control="no-store")
