"""Players and rule sets."""

from functools import cache
from typing import Annotated, Any
from uuid import uuid4

from msgspec import UNSET, Meta, Struct, UnsetType

from mcmulti.api.admission.house import LEVELS
from mcmulti.api.admission.quotas import address_of
from mcmulti.api.http.answers import Answer, encoded
from mcmulti.api.http.contract import Call, LanguageQuery, answer, operation
from mcmulti.api.http.problems import ApiError
from mcmulti.api.http.received import given, name_taken, player_id, player_name
from mcmulti.api.telling.games import parts_of
from mcmulti.api.telling.rated import ratings_of
from mcmulti.api.telling.records import record_of
from mcmulti.api.telling.wire import NewPlayer, Profile, Registered, Rulesets, RulesetSummary, RulesetView
from mcmulti.domain.core.capabilities.length import longest_of
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.wording.introduction import introduction_of
from mcmulti.domain.core.wording.manual import components_of, labels_of, manual_of, readings_of
from mcmulti.domain.core.wording.telling import Language
from mcmulti.domain.rulesets import BY_VERSION, CURRENT
from mcmulti.events.ports.accounts import Player, first_token
from mcmulti.events.ports.errors import NameTaken
from mcmulti.projections.charts.names import charts_of
from mcmulti.referee.ruling import KeyReused

SECRET = 32
"""The fewest characters of an idempotency key for registration, which is as good as the token."""
VARIED = 8
"""How many of them must be different."""


class RulesetQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`language`: of the rule texts, and of the sentences of refusals. `version`: for older games; by default the
    newest.
    """

    language: Language = "en"
    version: Annotated[int, Meta(ge=1, le=1_000_000)] | UnsetType = UNSET


@operation(
    "POST",
    "/v1/players",
    summary="Register a player and get a token",
    answer=Registered,
    status=201,
    problems=("name_taken", "key_reused", "weak_key"),
    quota="registrations",
)
async def register_player(call: Call, body: NewPlayer, idempotency_key: str | None) -> Answer:
    """Needs no token, and returns one. The token is shown once: the server keeps only its hash. If you send an
    `Idempotency-Key`, repeating the request returns the same response. Here the key must be random, such as a UUID or
    32 or more random characters, because anyone who knows it can get the token.
    """
    shared, key = call.service, idempotency_key
    origin = await shared.drawn("origin", address_of(call.request.scope))
    player = Player(uuid4(), player_name(body.name), body.kind, origin)
    if key is not None and (len(key) < SECRET or len(set(key)) < VARIED):  # anyone who guesses it gets the token
        raise ApiError("weak_key", f"Here Idempotency-Key must be random: a UUID, or {SECRET} characters or more.")
    token, token_hash = await shared.token_of("registration", key)
    before = None if key is None else await shared.log.holder(token_hash)
    if before is None:
        try:
            await shared.log.add_player(player, first_token(shared.clock()), token_hash)
        except NameTaken:
            before = None if key is None else await shared.log.holder(token_hash)  # at the same moment
            if before is None:
                raise name_taken(player.name) from None
    if before is None:
        return answer(_registered(player, token), 201, Cache_Control="no-store")
    if (before.player.name, before.player.kind) != (player.name, player.kind):
        raise KeyReused(key)
    return answer(_registered(before.player, token), 201, Cache_Control="no-store", Idempotent_Replayed="true")


def _registered(player: Player, token: str) -> Registered:
    return Registered(player.player_id, player.name, player.kind, token)


@operation("GET", "/v1/players/{player}", summary="Look up a player", answer=Profile)
async def get_player(call: Call, player: str) -> Answer:
    """Finds a player by the id in events and views. Returns the name, whether a program plays, and the results of the
    latest games, including unlisted ones. Of an erased player, only the kind is known.
    """
    shared = call.service
    found = await shared.log.player(player_id(player))
    if found is None:
        raise ApiError("unknown_player", f"There is no player {player!r}.")
    record = await record_of(shared.log, shared.tables, found.player_id) if found.name else None
    await shared.ladder.glance()
    ratings = ratings_of(shared.ladder, found.player_id) if found.name else ()
    told = Profile(found.player_id, found.name or None, found.kind, record, ratings)
    return answer(told, Cache_Control="public, no-cache")


@operation("GET", "/v1/rulesets", summary="List the rule sets", answer=Rulesets)
async def list_rulesets(call: Call, query: LanguageQuery) -> Answer:
    """Lists the newest version of each. A game always keeps the version that it was opened with."""
    return answer(_summaries(query.language, call.service.house_bots))


@cache
def _summaries(language: Language, here: bool) -> Rulesets:
    """The common part of all; `here`: whether the server runs bots."""
    return Rulesets(
        tuple(
            RulesetSummary(
                ruleset.name,
                ruleset.version,
                introduction_of(ruleset, language).title,
                ruleset.called(language),
                ruleset.amount(language),
                LEVELS[ruleset.name] if here else (),
                introduction_of(ruleset, language).levels if here else {},
            )
            for ruleset in CURRENT.values()
        )
    )


@operation(
    "GET",
    "/v1/rulesets/{ruleset}",
    summary="Read a rule set: components, rules, options, commands",
    answer=RulesetView,
)
async def get_ruleset(call: Call, query: RulesetQuery, ruleset: str) -> Answer:
    """Returns everything that defines a game: components, rules, setup options, commands, and refusal codes."""
    newest = known(ruleset)
    version = given(query.version, newest.version)
    if (newest.name, version) not in BY_VERSION:
        raise ApiError("unknown_ruleset", f"Rule set {newest.name!r} has no version {version}.")
    return answer(in_full(newest.name, version, query.language))


def known(name: str) -> Ruleset[Any]:
    """The newest version of a rule set. Raises a problem for an unknown name."""
    found = CURRENT.get(name)
    if found is None:
        raise ApiError("unknown_ruleset", f"There is no rule set {name!r}. Available: {', '.join(CURRENT)}.")
    return found


@cache
def in_full(name: str, version: int, language: Language) -> bytes:
    """A complete rule set, encoded."""
    found = BY_VERSION[name, version]
    texts, manual, introduced = found.texts, manual_of(found, language), introduction_of(found, language)
    return encoded(
        RulesetView(
            found.name,
            found.version,
            versions(name),
            longest_of(found.flow),
            introduced.title,
            introduced.about,
            parts_of(found),
            components_of(found, language),
            dict(texts.rules[language]),
            readings_of(found, language),
            manual.setup,
            manual.commands,
            manual.types,
            labels_of(found, language),
            codes(found, language),
            {code: limit.rule for code, limit in texts.limits.items() if limit.rule},
            found.books.money,
            dict(texts.words[language]),
            charts_of(found),
        )
    )


def versions(name: str) -> tuple[int, ...]:
    """The versions of a rule set, the newest last."""
    return tuple(sorted(version for other, version in BY_VERSION if other == name))


def codes(ruleset: Ruleset[Any], language: Language) -> dict[str, str]:
    """The sentence of each refusal code."""
    tell = ruleset.texts.tell_refusal
    return {code: tell(limit.rejection(), language) for code, limit in ruleset.texts.limits.items()}
