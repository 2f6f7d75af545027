"""Problems: every error response is RFC 9457 ``application/problem+json`` with a stable code."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from mcmulti.domain.core.figures import MOST, Code, Count, RuleId, Sentence, Sha256

MEDIA_TYPE = "application/problem+json"

CODES: dict[str, tuple[int, str]] = {
    "malformed_json": (400, "The body is not valid JSON"),
    "invalid_body": (400, "The body does not match its schema"),
    "invalid_query": (400, "Invalid query parameters"),
    "invalid_header": (400, "Invalid header"),
    "bad_request": (400, "Malformed HTTP request"),
    "unauthenticated": (401, "A valid bearer token is required"),
    "missing_scope": (403, "The token lacks the required scope"),
    "exceeds_token": (403, "This exceeds what the token allows"),
    "no_seat": (403, "Only players at this table can do this"),
    "reserved": (403, "The seat is reserved for another player"),
    "only_at_table": (403, "A companion acts only at its table"),
    "no_companions": (403, "Only the opener of a practice table can bring companions"),
    "series_running": (403, "The series of this table is not over"),
    "not_invited": (403, "Only invited players can sit at this table"),
    "not_in_room": (403, "This room of the chat is for others"),
    "not_author": (403, "Only its author can remove this message"),
    "not_opener": (403, "Only the player who opened the table can do this"),
    "not_found": (404, "Nothing is at this address"),
    "unknown_game": (404, "No such game"),
    "unknown_series": (404, "No such series"),
    "unknown_player": (404, "No such player"),
    "unknown_ruleset": (404, "No such rule set"),
    "unknown_chart": (404, "No such chart"),
    "unknown_round": (404, "No such round"),
    "no_rounds": (404, "This game is not played in rounds"),
    "other_ruleset": (409, "This game has no such command"),
    "no_picture": (404, "This game has no picture"),
    "no_orders": (404, "This game has no orders"),
    "unknown_token": (404, "No such token"),
    "unknown_webhook": (404, "No such webhook"),
    "unknown_message": (404, "No such message"),
    "unknown_link": (404, "This link is not valid, or no longer"),
    "unknown_moment": (404, "There is no such event"),
    "method_not_allowed": (405, "This address does not support this method"),
    "not_acceptable": (406, "No available media type matches Accept"),
    "request_timeout": (408, "The request did not arrive in time"),
    "name_taken": (409, "The name is taken, or looks too much like one that is"),
    "series_seated": (409, "You play at another table of this series"),
    "too_many_open_games": (409, "Too many unfinished games"),
    "last_token": (409, "The last token that can create tokens cannot be revoked"),
    "not_announced": (409, "This takes two steps: announce it first"),
    "too_early": (409, "The waiting period is not over"),
    "too_many_tokens": (409, "You have the maximum number of tokens"),
    "too_many_webhooks": (409, "You have the maximum number of webhooks"),
    "too_many_emails": (409, "The maximum number of emails per day is reached"),
    "too_many_settings": (409, "You have the maximum number of games with their own settings"),
    "no_messages": (409, "This server sends no messages"),
    "no_chat": (409, "There is no chat here"),
    "chat_full": (409, "This chat is full"),
    "no_email": (409, "This server sends no emails"),
    "no_reviews": (409, "This server makes no reviews"),
    "no_hints": (409, "No hint is available"),
    "review_going": (409, "Another review of yours is in progress"),
    "no_house_bots": (409, "This server runs no bots"),
    "unfinished": (409, "The game is not over"),
    "no_position": (409, "No game can be played on from there"),
    "sits_there": (409, "The player already sits at the table"),
    "open_to_all": (409, "The table is open to everyone"),
    "too_many_invited": (409, "Too many invitations for one table"),
    "damaged_game": (409, "The log of this game is damaged"),
    "open_round": (409, "The round has not been refereed yet"),
    "refused": (409, "The rules do not allow this now"),
    "stale": (412, "The game has moved on"),
    "body_too_large": (413, "The body is too large"),
    "target_too_long": (414, "The address is too long"),
    "unsupported_media_type": (415, "The body must be application/json"),
    "key_reused": (422, "The idempotency key was used for another request"),
    "weak_key": (422, "The idempotency key is too easy to guess"),
    "unread_orders": (422, "The text of the orders could not be parsed"),
    "unknown_name": (422, "No player has this name"),
    "series_practice": (422, "The tables of a series are not for practice"),
    "unlisted": (422, "Only listed tables can be rated"),
    "rated_without_clock": (422, "Only tables with a clock can be rated"),
    "rated_practice": (422, "A practice table cannot be rated"),
    "rated_too_slow": (422, "The clock is too slow for a rated table"),
    "bad_position": (422, "No game can stand in this position"),
    "unfit_message": (422, "A message is either a text or a quick reply"),
    "unprintable_text": (422, "The text contains unprintable characters"),
    "unknown_quick_reply": (422, "No such quick reply"),
    "unknown_level": (422, "No server bot plays this game at this level"),
    "too_many_house_bots": (422, "Too many bots for one table"),
    "refused_url": (422, "The server cannot send to this URL"),
    "unfit_settings": (422, "Invalid settings"),
    "bad_keys": (422, "The keys do not belong to a push subscription"),
    "past_expiry": (422, "`expires` is in the past"),
    "mixed_scripts": (422, "The name mixes scripts"),
    "reserved_name": (422, "The name is reserved"),
    "unprintable_name": (422, "The name contains unprintable characters"),
    "unconfirmed": (428, "Moves were taken back since you last looked"),
    "too_many_requests": (429, "Too many requests"),
    "head_too_large": (431, "The headers are too large"),
    "internal": (500, "Internal server error"),
    "busy": (503, "Too much is going on at once"),
    "went_back": (503, "The log was rolled back to an earlier event"),
    "stopping": (503, "The server is stopping"),
    "database_away": (503, "The database is not responding"),
}
"""Code: HTTP status and title. A refusal by the rules has the status of ``refused`` and the rule set's own code."""

PROBLEMS = "x-problems"
"""In the schema of a field: the codes, with status 422, for values that fit the schema but are refused."""


def refused_as(*codes: str) -> Meta:
    """Declare these codes for a field. The problems of operations and the contract follow from it."""
    return Meta(extra_json_schema={PROBLEMS: [*codes]})


MOST_FIELD = 200
FIELD_PATH = r"^[a-z_][a-z0-9_]*([.][a-z0-9_]+|\[[0-9]+\])*$"
FieldPath = Annotated[
    str,
    Meta(
        max_length=MOST_FIELD,
        pattern=FIELD_PATH,
        description="A field; in a position with the way to it, such as `position.players[0].cash`.",
    ),
]
MOST_DETAIL = 1000
"""The most characters of a detail, so that client input is not echoed at length."""

ProblemType = Annotated[
    str,
    Meta(pattern="^urn:mcmulti:problem:[a-z_]+$", description="`urn:mcmulti:problem:` followed by the code."),
]


Quota = Literal[
    "requests",
    "bot_requests",
    "registrations",
    "new_games",
    "bot_games",
    "open_games",
    "events",
    "processor_ms",
    "stored_bytes",
    "unsent_bytes",
    "chat_messages",
    "review_seconds",
]


class Problem(Struct, frozen=True, omit_defaults=True):
    """What went wrong (RFC 9457). `code` is stable and for programs, `detail` is for people.

    For a refusal by the rules: the `rule`, the invalid `field`, its `limit`, and the index of the command (`command`,
    from 0). If a number is too small or between legal values, also the `least` value and the `step`. If orders in words
    cannot be read, `line` and `column` are the position. For too many open games, `limit` is the maximum.

    `seq` and `hash`: the game's head, if the request named an old one. `quota`: which limit too many requests exceeded.
    `retry_after`: when there is room again or, for actions in two steps, when the second can be taken.
    """

    type: ProblemType
    title: Sentence
    status: Annotated[int, Meta(ge=400, le=599, description="HTTP status of the response.")]
    detail: Annotated[str, Meta(min_length=1, pattern=r"\S")]
    code: Code
    rule: RuleId | None = None
    field: FieldPath | None = None
    limit: Annotated[int, Meta(ge=-MOST, le=MOST, description="Maximum legal value now.")] | None = None
    least: Annotated[int, Meta(ge=-MOST, le=MOST, description="Minimum legal value now.")] | None = None
    step: Annotated[int, Meta(ge=1, le=MOST, description="Step between legal values.")] | None = None
    command: Annotated[int, Meta(ge=0, le=63)] | None = None
    line: Annotated[int, Meta(ge=1, le=MOST, description="Line number in the text, from 1.")] | None = None
    column: Annotated[int, Meta(ge=1, le=MOST, description="Column in the line, from 1.")] | None = None
    seq: Count | None = None
    hash: Sha256 | None = None
    quota: Quota | None = None
    retry_after: Annotated[int, Meta(ge=1, le=MOST, description="Seconds.")] | None = None


class ApiError(Exception):
    """Ends a request with a problem with this code. `more`: further members of `Problem`."""

    def __init__(self, code: str, detail: str, headers: dict[str, str] | None = None, **more: int | str | None) -> None:
        if len(detail) > MOST_DETAIL:
            detail = f"{detail[: MOST_DETAIL - 1]}…"
        super().__init__(detail)
        status, title = CODES.get(code, CODES["refused"])
        self.problem = Problem(f"urn:mcmulti:problem:{code}", title, status, detail, code, **more)  # type: ignore[arg-type]
        self.headers = headers or {}


def unauthenticated(detail: str) -> ApiError:
    """The problem of a request without a valid token."""
    return ApiError("unauthenticated", detail, {"WWW-Authenticate": "Bearer"})
