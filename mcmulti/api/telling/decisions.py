"""What a seat decides on: its offers, and its view."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from msgspec import UNSET, Raw, UnsetType

from mcmulti.api.caching.tags import etag
from mcmulti.api.http.answers import encoded
from mcmulti.api.telling.tables import Tables
from mcmulti.api.telling.wire import NextMove, Offer, Offers, StandingInstruction
from mcmulti.domain.core import offers as stated
from mcmulti.domain.core.capabilities.instructions import Instructions, instruction_of
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.wording.telling import Language
from mcmulti.events.log.positions import Position


def offers_of(position: Position, seat: int, language: Language) -> Offers:
    """The current offers to a seat, in this language."""
    ruleset, state, head = position.ruleset, position.state, position.head
    may = offered(ruleset, state, seat, language), besides(ruleset, state, seat, language)
    to_move, set_ = ruleset.to_move(state), standing(ruleset, state, seat)
    return Offers(position.game_id, head.seq, head.hash.hex(), seat, to_move, *may, set_)


def offered(ruleset: Ruleset[Any], state: Any, seat: int, language: Language) -> tuple[Offer, ...]:
    """What the game asks of a seat, in this language."""
    return _worded(ruleset, state, ruleset.offers(state, seat), language)


def besides(ruleset: Ruleset[Any], state: Any, seat: int, language: Language) -> tuple[Offer, ...]:
    """What a seat may do at any time, in this language."""
    return _worded(ruleset, state, ruleset.besides(state, seat), language)


async def next_move(position: Position, tables: Tables, player_id: UUID, language: Language) -> NextMove | UnsetType:
    """What a player sees and may do at a position; unset if the player does not sit there. Raises `LogUnavailable`."""
    seat = position.seat_of(player_id)
    if seat is None:
        return UNSET
    shown = position.presented(await tables.called(position))
    view = Raw(encoded(shown.ruleset.view(shown.state, seat)))
    return NextMove(view, offers_of(position, seat, language), etag(position.head))


def standing(ruleset: Ruleset[Any], state: Any, seat: int) -> StandingInstruction | None:
    """The standing instruction of a seat."""
    game, found = ruleset.flow.has(Instructions), instruction_of(state, seat)
    if game is None or found is None:
        return None
    command: Any = game.command
    return StandingInstruction(Raw(encoded(command(orders=found.orders))), found.off)


def _worded(ruleset: Ruleset[Any], state: Any, offers: Iterable[stated.Offer], language: Language) -> tuple[Offer, ...]:
    tell = ruleset.texts.tell_offer
    return tuple(
        [
            Offer(offer.command, offer.rule, offer.fields, offer.price, sentence=tell(state, offer, language))
            for offer in offers
        ]
    )
