"""The server limit that refused a client, named by the ``serve`` option that sets it."""

from msgspec import DecodeError, Struct, json

OPTIONS = {
    "requests": "--rate-limit",
    "bot_requests": "--bot-requests",
    "registrations": "--registrations",
    "new_games": "--new-games",
    "bot_games": "--bot-games",
    "open_games": "--open-games",
    "events": "--events",
    "processor_ms": "--processor-time",
    "stored_bytes": "--stored-bytes",
}
"""The option that sets each quota."""
UNLIMITED = tuple(word for option in OPTIONS.values() for word in (option, "off"))
"""Options of `mcmulti serve` that lift every quota."""
HUNG_UP = "the server closed a connection without a response: serve --connections limits connections per address"
"""If there are too many connections, a server closes them without a response."""


class _Refusal(Struct, frozen=True):
    detail: str = ""
    quota: str = ""


def refusal(status: int, body: bytes) -> str:
    """Why a server refused a request, from the status and body of its response."""
    try:
        problem = json.decode(body, type=_Refusal)
    except (DecodeError, RecursionError):
        problem = _Refusal()
    option = OPTIONS.get(problem.quota)
    limit = f" (serve {option})" if option else ""
    return f"the server responded with status {status}{limit}: {problem.detail or body.decode(errors='replace')}"
