"""Hints: what a seat could do now, in practice games."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta, Struct

from mcmulti.api.admission.quotas import address_of
from mcmulti.api.http.answers import Answer
from mcmulti.api.http.contract import DEAR, Call, LanguageQuery, answer, operation
from mcmulti.api.http.problems import ApiError
from mcmulti.api.readings.positions import document
from mcmulti.api.telling.refusals import refusal
from mcmulti.domain.core.capabilities.rating import for_practice
from mcmulti.domain.core.figures import Seat
from mcmulti.domain.core.offers import NO_SEAT
from mcmulti.domain.core.wording.telling import Language
from mcmulti.events.log.item import AtMoment
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.accounts import Player
from mcmulti.projections.labels import REVIEW
from mcmulti.projections.reviews import HintedMove, HintTask, named_hints

LEAST, USUAL, MOST = 1, 3, 10
"""The processor time that a hint may take."""


class NewHint(Struct, frozen=True, forbid_unknown_fields=True):
    """How thorough a hint should be: `seconds` of processor time."""

    seconds: Annotated[int, Meta(ge=LEAST, le=MOST)] = USUAL


class HintView(AtMoment, frozen=True):
    """What a `seat` could do after event `seq`. `moves`: the best ones that were tried, the best first; empty if none
    could be compared.
    """

    seat: Seat
    moves: Annotated[tuple[HintedMove, ...], Meta(max_length=3)]


@operation(
    "POST",
    "/v1/games/{game}/hint",
    summary="Ask what you could do now, in a practice game",
    answer=HintView,
    problems=("no_seat", "no_hints", "no_position", "busy"),
    cost=DEAR,
)
async def ask_for_hint(call: Call, query: LanguageQuery, caller: Player, game: UUID, body: NewHint) -> Answer:
    """The server compares some of your moves, and returns the best, each in words, with your chance to win after it.
    Bundled bots play on with imagined dice. Nothing is used that you cannot know: what is sealed is left out. Only
    practice games have hints, and only for the seat of the caller while it is to move. The `seconds` are charged to
    you, as for a review.
    """
    service = call.service
    position = await service.referee.position(game)
    seat = _seat(call, position, caller, query.language)
    if service.hints is None:
        raise ApiError("no_hints", "This server gives no hints.")
    found = msgspec.to_builtins(document(position, over=False))
    payers = (service.payer(call.request, caller).player_id.hex, address_of(call.request.scope))

    async def charge() -> None:
        await service.quotas.room("review_seconds", *payers)
        await service.quotas.spend("review_seconds", body.seconds, *payers)

    moves = await service.hints(HintTask(found, seat, body.seconds, query.language), charge)
    if moves is None:
        raise ApiError("busy", "Too many hints are being computed. Ask again in a moment.", {"Retry-After": "1"})
    names = (await service.names.lookup(position.state.everybody)).called
    say = REVIEW[query.language]
    called = [
        names.get(player or "", say.seat.format(number + 1))
        for number, player in enumerate(position.ruleset.players(position.state))
    ]
    told = HintView(game, position.head.seq, position.head.hash.hex(), seat, named_hints(moves, called))
    return answer(told, Cache_Control="no-store", Vary=call.varies)


def _seat(call: Call, position: Position, caller: Player, language: Language) -> int:
    """The seat of the caller. Raises a problem if it cannot have a hint now."""
    ruleset, state = position.ruleset, position.state
    seat = position.seat_of(caller.player_id)
    if seat is None:
        raise refusal(ruleset, NO_SEAT.rejection(), language)
    if not for_practice(state.setup):
        raise ApiError("no_hints", "Only practice games have hints.")
    if ruleset.status(state) != "running" or seat not in ruleset.to_move(state):
        raise ApiError("no_hints", "You are not to move. Ask when it is your turn.")
    return seat
