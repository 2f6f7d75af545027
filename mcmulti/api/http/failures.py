"""Convert exceptions to problems."""

from typing import Any

import msgspec
import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException

from mcmulti.api.caching.tags import etag
from mcmulti.api.http.answers import Answer
from mcmulti.api.http.problems import MEDIA_TYPE, ApiError, unauthenticated
from mcmulti.events.log.envelope import Head
from mcmulti.events.ports.errors import (
    Conflict,
    DamagedGame,
    LogUnavailable,
    UnknownGame,
    UnknownPlayer,
    UnknownToken,
)
from mcmulti.referee.feed import LogWentBack, ServerStops
from mcmulti.referee.ruling import KeyReused, Stale, Unconfirmed, UnknownMoment

_log = structlog.get_logger(__name__)

STOPPING = Answer(
    msgspec.json.encode(ApiError("stopping", "The server is stopping. Try again.").problem),
    503,
    MEDIA_TYPE,
    {"Cache-Control": "no-store", "Retry-After": "1", "Connection": "close"},
)
"""The response to a request that is cut short by a stopping server."""

_BY_STATUS = {404: "not_found", 405: "method_not_allowed", 413: "body_too_large"}


def as_problem(error: Exception) -> ApiError:
    """The problem for an exception."""
    match error:
        case ApiError():
            return error
        case Unconfirmed():
            detail = "Moves were taken back since you last looked. Send If-Match with the position you decided on."
            return _elsewhere("unconfirmed", detail, error.head)
        case Stale():
            detail = f"{str(error).capitalize()}. Read it again, then decide again."
            return _elsewhere("stale", detail, error.head)
        case UnknownMoment():
            return ApiError(
                "unknown_moment", f"{str(error).capitalize()}.", seq=error.head.seq, hash=error.head.hash.hex()
            )
        case UnknownGame():
            return ApiError("unknown_game", f"{str(error).capitalize()}.")
        case (
            UnknownPlayer() | UnknownToken()
        ):  # the caller's account was erased, or the token revoked, during the request
            return unauthenticated("Unknown bearer token. It may have been revoked.")
        case KeyReused():
            return ApiError("key_reused", "This Idempotency-Key was already used for another request. Use a new key.")
        case Conflict() | LogWentBack():
            code = "busy" if isinstance(error, Conflict) else "went_back"
            return ApiError(code, f"{str(error).capitalize()}.", {"Retry-After": "1"})
        case ServerStops():
            return ApiError(
                "stopping", "The server is stopping. Try again.", {"Retry-After": "1", "Connection": "close"}
            )
        case DamagedGame():
            return ApiError(
                "damaged_game", f"The log of this game is damaged: {error.fault}. The operator has been notified."
            )
        case LogUnavailable():
            return ApiError("database_away", "The database is not responding. Try again.", {"Retry-After": "1"})
        case HTTPException():
            code = _BY_STATUS.get(error.status_code, "bad_request" if error.status_code < 500 else "internal")
            return ApiError(code, _sentence(error.detail, code), dict(error.headers or {}))
    return ApiError(
        "internal", "The server failed. Give the operator your request ID: the server's log has the reason."
    )


def _elsewhere(code: str, detail: str, head: Head) -> ApiError:
    """The game is now at this head, so the client must decide again."""
    return ApiError(code, detail, {"ETag": etag(head)}, seq=head.seq, hash=head.hash.hex())


def _sentence(detail: str, code: str) -> str:
    return detail if detail.endswith(".") else f"{detail or code}."


def answer_problem(error: Exception) -> Answer:
    """The response to a failed request."""
    failed = as_problem(error)
    if failed.problem.code == "internal":
        _log.error("failed", code="internal", exc_info=error)
    elif failed.problem.status >= 500:
        _log.warning("failed", code=failed.problem.code, reason=str(error))
    return Answer(
        msgspec.json.encode(failed.problem),
        failed.problem.status,
        MEDIA_TYPE,
        {"Cache-Control": "no-store", **failed.headers},
    )


def answer_misrouted(_: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """The same for Litestar, for requests that match no operation."""
    answer = answer_problem(error)
    return Response(answer.body, status_code=answer.status_code, media_type=answer.media_type, headers=answer.headers)
