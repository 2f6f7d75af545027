"""Players and rule sets."""

import re
from functools import cache
from uuid import uuid4

from litestar import get, post
from litestar.params import FromPath
from msgspec import Struct

from mcmulti.api.answers import Answer
from mcmulti.api.contract import AnyRequest, NoQuery, Operation, answer, body, encoded, idempotency_key, query
from mcmulti.api.problems import ApiError
from mcmulti.api.service import service
from mcmulti.api.wire import NewPlayer, Registered, Rulesets, RulesetSummary, RulesetView
from mcmulti.domain.core.telling import Language
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.log import NameTaken, Player
from mcmulti.events.names import skeleton
from mcmulti.referee.ruling import KeyReused

SECRET = 32
"""Characters of an idempotency key with which somebody registers: it is as good as the token."""
VARIED = 8
"""How many of them have to be different."""
_EMOJI = "\u2190-\u2bff\U0001f000-\U0001faff"
_JOINER = re.compile(f"(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])")
"""Makes one emoji of two, and cannot be seen: it is printable there and nowhere else."""


class RulesetQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`language`: of the rule texts."""

    language: Language = "en"


@post(
    "/v1/players",
    opt={
        "operation": Operation(
            id="registerPlayer",
            tag="players",
            summary="Register a player and get a token",
            body=(NewPlayer,),
            answer=Registered,
            status=201,
            query=NoQuery,
            headers=("Idempotency-Key",),
            problems=("name_taken", "unprintable_name", "key_reused", "weak_key"),
        )
    },
)
async def register_player(request: AnyRequest) -> Answer:
    query(request, NoQuery)
    new: NewPlayer = await body(request, NewPlayer)
    if not _JOINER.sub("", new.name).isprintable() or not skeleton(new.name):
        raise ApiError("unprintable_name", "name: has characters that cannot be shown.")
    player = Player(uuid4(), new.name.strip())
    shared, key = service(request), _secret_key(request)
    token, token_hash = shared.new_token() if key is None else await shared.token_of(key)
    before = None if key is None else await shared.log.player_by_token(token_hash)
    if before is None:
        try:
            await shared.log.add_player(player, token_hash)
        except NameTaken:
            before = None if key is None else await shared.log.player_by_token(token_hash)  # at the same moment
            if before is None:
                detail = f"Another player is called {player.name!r} already, or so that it looks like it."
                raise ApiError("name_taken", detail) from None
    if before is None:
        return answer(Registered(player.player_id, player.name, token), 201, Cache_Control="no-store")
    if before.name != player.name:
        raise KeyReused(key)
    registered = Registered(before.player_id, before.name, token)
    return answer(registered, 201, Cache_Control="no-store", Idempotent_Replayed="true")


def _secret_key(request: AnyRequest) -> str | None:
    """The client's key, if it has one. Whoever knows it gets the token, so it must not be guessed."""
    key = idempotency_key(request)
    if key is not None and (len(key) < SECRET or len(set(key)) < VARIED):
        raise ApiError("weak_key", f"Here Idempotency-Key must be random: a UUID, or {SECRET} characters or more.")
    return key


@get(
    "/v1/rulesets",
    opt={
        "operation": Operation(
            id="listRulesets", tag="rulesets", summary="List the rule sets", answer=Rulesets, query=NoQuery
        )
    },
)
async def list_rulesets(request: AnyRequest) -> Answer:
    query(request, NoQuery)
    return answer(
        Rulesets(tuple(RulesetSummary(ruleset.name, ruleset.version, ruleset.title) for ruleset in CURRENT.values()))
    )


@get(
    "/v1/rulesets/{ruleset:str}",
    opt={
        "operation": Operation(
            id="getRuleset",
            tag="rulesets",
            summary="Read a rule set: components, rule texts, codes of refusal",
            answer=RulesetView,
            query=RulesetQuery,
            problems=("unknown_ruleset",),
        )
    },
)
async def get_ruleset(request: AnyRequest, ruleset: FromPath[str]) -> Answer:
    wanted = query(request, RulesetQuery)
    found = CURRENT.get(ruleset)
    if found is None:
        raise ApiError("unknown_ruleset", f"There is no rule set {ruleset!r}; there are {', '.join(CURRENT)}.")
    return answer(_in_full(found.name, wanted.language))


@cache
def _in_full(name: str, language: Language) -> bytes:
    """A rule set as it is sent."""
    found = CURRENT[name]
    codes = {code: limit.sentence for code, limit in found.texts.limits.items()}
    rules = dict(found.texts.rules[language])
    return encoded(RulesetView(found.name, found.version, found.title, dict(found.texts.components), rules, codes))
