"""Moves in words: what a phrase means given the offers, for clients without a grammar of their own."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from msgspec import Meta, Raw, Struct

from mcmulti.api.caching.moments import moment
from mcmulti.api.caching.representation import Representation
from mcmulti.api.http.answers import Answer, encoded
from mcmulti.api.http.contract import Call, operation
from mcmulti.api.http.received import Tags
from mcmulti.api.operations.play import seated
from mcmulti.domain.core.offers import Offer
from mcmulti.domain.core.wording.grammar import Unread, following, read, say
from mcmulti.domain.core.wording.telling import Language
from mcmulti.events.log.envelope import Head
from mcmulti.events.log.item import AtMoment
from mcmulti.events.ports.accounts import Player

MOST = 1000
"""The most characters of a phrase."""
_Words = Annotated[str, Meta(max_length=MOST, pattern=r"^[^\n]*$", description="A move in words, on one line.")]
_Phrase = Annotated[str, Meta(description="One or more words.")]
_Fits = Annotated[
    tuple[_Phrase, ...],
    Meta(description="A range such as `1..6` or a form such as `{..}` describes what fits. It is not itself a word."),
]


class PhraseQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`text`: a move in words, or the beginning of one. `language`: of refusals."""

    text: _Words = ""
    language: Language = "en"


class PhraseFault(Struct, frozen=True):
    """Why a phrase is not a command.

    `code`: `unfit` if `word` is the first that fits no offer; `missing` if the phrase is incomplete; `ambiguous` if
    `fits` are the phrases of all its possible meanings. Otherwise `fits` is what could be there instead.
    """

    code: Literal["unfit", "missing", "ambiguous"]
    word: _Phrase | None
    fits: _Fits


class PhraseMove(Struct, frozen=True):
    """The move that a phrase means: the `command`, and the complete `phrase`."""

    command: Annotated[Raw, Meta(extra_json_schema={"$ref": "#/components/schemas/Command"})]
    phrase: _Phrase


class PhraseReading(AtMoment, frozen=True):
    """What a phrase means, given the current offers to the caller's seat. `seq` and `hash`: the head it was read on.

    `move`: the move that it means; null if it means none, for the reason in `fault`. `following`: completions of its
    last word, or possible next words if it is empty or ends with a space.
    """

    move: PhraseMove | None
    fault: PhraseFault | None
    following: _Fits


@operation(
    "GET",
    "/v1/games/{game}/phrase",
    tag="play",
    summary="Read a move in words",
    answer=PhraseReading,
    problems=("no_seat",),
)
async def read_phrase(call: Call, query: PhraseQuery, caller: Player, game: UUID, if_none_match: Tags) -> Answer:
    """Returns the command for a phrase such as `take seat 2`, given the current offers. If the phrase is not a command,
    returns what fits instead, and what may come next. Nothing is sent: send the `command` with the `ETag` of this
    response as `If-Match`.
    """
    at = await moment(call, game)
    position, seat, told = at.position, seated(at, query.language), Representation(call, at)

    def write() -> bytes:
        offers = (*position.ruleset.offers(position.state, seat), *position.ruleset.besides(position.state, seat))
        return encoded(reading(position.game_id, position.head, offers, query.text))

    return told.unchanged(if_none_match) or told.answer(told.written(write))


def reading(game: UUID, head: Head, offers: Sequence[Offer | dict[str, Any]], text: str) -> PhraseReading:
    """What a phrase means given these offers, as the rules state them or as JSON."""
    offered = msgspec.json.decode(msgspec.json.encode(offers))
    move, fault = None, None
    try:
        command = read(text, offered)
        move = PhraseMove(Raw(msgspec.json.encode(command)), say(command, offered))
    except Unread as unread:
        fault = PhraseFault(unread.code, unread.word, tuple(unread.fits))
    return PhraseReading(game, head.seq, head.hash.hex(), move, fault, tuple(following(text, offered)))
