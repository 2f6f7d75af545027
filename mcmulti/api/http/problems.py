"""Problems: every error answer is RFC 9457 ``application/problem+json`` with a stable code."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from mcmulti.domain.core.figures import MOST, Code, Count, RuleId, Sentence, Sha256

MEDIA_TYPE = "application/problem+json"

CODES: dict[str, tuple[int, str]] = {
    "malformed_json": (400, "The body is not JSON"),
    "invalid_body": (400, "The body does not fit its schema"),
    "invalid_query": (400, "The query parameters do not fit"),
    "invalid_header": (400, "A header does not fit"),
    "bad_request": (400, "The request is not HTTP as it should be"),
    "unauthenticated": (401, "A valid bearer token is needed"),
    "missing_scope": (403, "The token does not allow that"),
    "exceeds_token": (403, "This goes beyond what the token allows"),
    "no_seat": (403, "Only players at this table may do that"),
    "reserved": (403, "The seat is kept for somebody else"),
    "not_invited": (403, "The table is for invited players"),
    "not_opener": (403, "Only who opened the table may do that"),
    "not_found": (404, "There is nothing at this address"),
    "unknown_game": (404, "There is no such game"),
    "unknown_player": (404, "There is no such player"),
    "unknown_ruleset": (404, "There is no such rule set"),
    "unknown_chart": (404, "There is no such chart"),
    "unknown_round": (404, "There is no such round"),
    "no_rounds": (404, "The game is not played in rounds"),
    "other_ruleset": (409, "The command is none of this game's rule set"),
    "no_picture": (404, "The game has no picture"),
    "no_orders": (404, "The game is played without orders"),
    "unknown_token": (404, "There is no such token"),
    "unknown_webhook": (404, "There is no such webhook"),
    "unknown_moment": (404, "The log does not reach that event"),
    "method_not_allowed": (405, "This address does not take this method"),
    "not_acceptable": (406, "There is nothing here of a type that the request accepts"),
    "request_timeout": (408, "The rest of the request has not come in time"),
    "name_taken": (409, "Another player bears this name, or one that looks like it"),
    "too_many_open_games": (409, "There are too many games that are not over"),
    "last_token": (409, "Without this token nobody could make others"),
    "not_announced": (409, "This takes two steps: announce it first"),
    "too_early": (409, "The waiting time is not over"),
    "too_many_tokens": (409, "The player has as many tokens as one may have"),
    "too_many_webhooks": (409, "You have the maximum number of webhooks"),
    "no_messages": (409, "This server sends no messages"),
    "no_house_bots": (409, "The server runs no bots"),
    "unfinished": (409, "The game is not over"),
    "sits_there": (409, "The player sits at the table already"),
    "open_to_all": (409, "The table is open to everybody"),
    "too_many_invited": (409, "So many players cannot be invited to a table"),
    "damaged_game": (409, "What the log holds of the game is not what was appended to it"),
    "open_round": (409, "The round is not refereed yet"),
    "refused": (409, "The rules do not allow it now"),
    "stale": (412, "The game has moved on"),
    "body_too_large": (413, "The body is too large"),
    "target_too_long": (414, "The address is too long"),
    "unsupported_media_type": (415, "The body must be application/json"),
    "key_reused": (422, "The idempotency key was used for another request"),
    "weak_key": (422, "The idempotency key could be guessed"),
    "unread_orders": (422, "The text of the orders cannot be read"),
    "unknown_name": (422, "There is no player of this name"),
    "unlisted": (422, "Only tables that are listed can be rated"),
    "rated_without_clock": (422, "Only tables with a clock can be rated"),
    "rated_too_slow": (422, "The clock is too slow for a rated table"),
    "unknown_level": (422, "No bot of the server plays the game at this level"),
    "too_many_house_bots": (422, "Too many bots for one table"),
    "refused_url": (422, "The server does not send to this URL"),
    "bad_keys": (422, "The keys are not those of a push subscription"),
    "past_expiry": (422, "The token would have expired already"),
    "mixed_scripts": (422, "The name mixes letters of several scripts"),
    "reserved_name": (422, "The name is reserved"),
    "unprintable_name": (422, "The name has characters that cannot be shown"),
    "unconfirmed": (428, "Moves were taken back, and the request does not say what it was decided on"),
    "too_many_requests": (429, "Too many requests"),
    "head_too_large": (431, "The headers are too large"),
    "internal": (500, "Something went wrong here"),
    "busy": (503, "The game moves too fast to append"),
    "went_back": (503, "The log went back to an earlier event"),
    "stopping": (503, "The server is stopping"),
    "database_away": (503, "The database does not answer"),
}
"""Code: HTTP status and title. A refusal by the rules has the status of ``refused`` and the rule set's own code."""

MOST_DETAIL = 1000
"""Characters of a detail: what a client sent is not told back at any length."""

ProblemType = Annotated[
    str,
    Meta(pattern="^urn:mcmulti:problem:[a-z_]+$", description="`urn:mcmulti:problem:` and the code."),
]


Quota = Literal[
    "requests", "bot_requests", "registrations", "new_games", "bot_games", "open_games", "events", "processor_ms"
]


class Problem(Struct, frozen=True, omit_defaults=True):
    """What went wrong (RFC 9457). `code` is stable and meant for programs, `detail` for people.

    A refusal by the rules names the `rule`, the `field` that does not fit and its `limit`, and which of the
    commands it was (`command`, from 0). Of a number that is too small or lies between legal values it also names the
    `least` and the `step`. Of orders in words that cannot be read, `line` and `column` say where. `seq` and `hash` are
    the game's head where the request named an old one. Of too many requests, `quota` says too many of what, and
    `retry_after` when there is room again; of what takes two steps, that is when the second one can be taken. Of too
    many open games `limit` says how many there may be.
    """

    type: ProblemType
    title: Sentence
    status: Annotated[int, Meta(ge=400, le=599, description="The status of the answer.")]
    detail: Annotated[str, Meta(min_length=1, pattern=r"\S")]
    code: Code
    rule: RuleId | None = None
    field: Code | None = None
    limit: Annotated[int, Meta(ge=-MOST, le=MOST, description="The greatest value that is legal now.")] | None = None
    least: Annotated[int, Meta(ge=-MOST, le=MOST, description="The least value that is legal now.")] | None = None
    step: Annotated[int, Meta(ge=1, le=MOST, description="From one legal value to the next.")] | None = None
    command: Annotated[int, Meta(ge=0, le=63)] | None = None
    line: Annotated[int, Meta(ge=1, le=MOST, description="Line of the text, from 1.")] | None = None
    column: Annotated[int, Meta(ge=1, le=MOST, description="Character of the line, from 1.")] | None = None
    seq: Count | None = None
    hash: Sha256 | None = None
    quota: Quota | None = None
    retry_after: Annotated[int, Meta(ge=1, le=MOST, description="Seconds.")] | None = None


class ApiError(Exception):
    """Ends a request with a problem of this code. `more` are further members of `Problem`."""

    def __init__(self, code: str, detail: str, headers: dict[str, str] | None = None, **more: int | str | None) -> None:
        if len(detail) > MOST_DETAIL:
            detail = f"{detail[: MOST_DETAIL - 1]}…"
        super().__init__(detail)
        status, title = CODES.get(code, CODES["refused"])
        self.problem = Problem(f"urn:mcmulti:problem:{code}", title, status, detail, code, **more)  # type: ignore[arg-type]
        self.headers = headers or {}
