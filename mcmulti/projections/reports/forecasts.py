"""What a seat's orders would lead to if they were carried out now, without deciding or recording anything."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Raw, Struct

from mcmulti.domain.core.capabilities.rounds import Orders, Remark, Round, orders_of
from mcmulti.domain.core.figures import MOST, RuleId, Seat, Sentence, TypeName
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.shown.gauges import Holdings
from mcmulti.domain.core.wording.telling import Language
from mcmulti.events.log.item import AtMoment
from mcmulti.events.log.positions import Position

_encode = msgspec.json.Encoder().encode
PlaceInText = Annotated[int, Meta(ge=1, le=MOST)]


class Foreseen(Struct, frozen=True):
    """A possible event: its data, its sentence, and its rule."""

    type: TypeName
    data: Annotated[Raw, Meta(extra_json_schema={"$ref": "#/components/schemas/Event"})]
    sentence: Sentence
    rule: RuleId


class Forecast(AtMoment, frozen=True):
    """What a seat's orders would lead to if they were carried out now, before any dice.

    `seq` and `hash`: the head it was tried on. `seat`: whose orders they are. `events`: what would happen, in order.
    `remarks`: likely mistakes. `holdings`: what everybody would have then.

    `text`: the orders in the game's notation. `places`: the line of the text where each line of the orders begins, from
    1; of the text that was sent, or of `text` if none was. `command`: what sends the orders for this round.
    """

    seat: Seat
    events: tuple[Foreseen, ...]
    remarks: tuple[Remark, ...]
    holdings: Holdings
    text: str
    places: tuple[PlaceInText, ...]
    command: Annotated[Raw, Meta(extra_json_schema={"$ref": "#/components/schemas/Command"})]


class SentOrders(Struct, frozen=True):
    """Pending orders.

    `round`: the one they are for. `command`: what sends them. `text`: the orders in the game's notation.
    """

    round: Round
    command: Annotated[Raw, Meta(extra_json_schema={"$ref": "#/components/schemas/Command"})]
    text: str


class WaitingOrders(AtMoment, frozen=True):
    """A seat's pending orders. `seq` and `hash`: the head.

    `seat`: whose they are. `orders`: all of them.
    """

    seat: Seat
    orders: tuple[SentOrders, ...]


def waiting_orders(position: Position, seat: int) -> WaitingOrders:
    """The pending orders of a seat at this position. Raises TypeError in a game without orders."""
    planning = _planning(position)
    sent = tuple(
        SentOrders(each.round, Raw(_encode(each)), planning.write(each.sheet))
        for each in planning.sent(position.state, seat)
    )
    return WaitingOrders(position.game_id, position.head.seq, position.head.hash.hex(), seat, sent)


def waiting_text(position: Position, seat: int) -> str:
    """The same as text, each preceded by the command that sends it, as a comment."""
    planning = _planning(position)
    return "\n".join(
        f"# {type(each).__name__}, round {each.round}\n{planning.write(each.sheet)}"
        for each in planning.sent(position.state, seat)
    )


def _planning(position: Position) -> Orders[Any]:
    planning = orders_of(position.ruleset)
    if planning is None:
        raise TypeError(f"{position.ruleset.title} has no orders")
    return planning


def forecast(position: Position, seat: int, orders: Struct | str, language: Language) -> Forecast | Rejection:
    """Try the orders of a seat at this position. Raises TypeError in a game without orders.

    Orders in words are parsed first; raises `UnreadOrders` for words without a meaning.

    It looks at no other orders, and draws no dice, so it reveals nothing that the seat may not know.
    """
    ruleset, state = position.ruleset, position.state
    planning = _planning(position)
    read = planning.read(orders, seat, state.names) if isinstance(orders, str) else None
    sheet = read.sheet if read else orders
    decision = planning.forecast(state, seat, sheet)
    if isinstance(decision, Rejection):
        return decision
    events = []
    before: Any = state
    for fact in decision.facts:
        told = ruleset.texts.tell(before, fact.event, language)
        events.append(Foreseen(type(fact.event).__name__, Raw(_encode(fact.event)), told, fact.rule))
        before = ruleset.evolve(before, fact.event)
    text = planning.write(sheet)
    return Forecast(
        position.game_id,
        position.head.seq,
        position.head.hash.hex(),
        seat,
        tuple(events),
        planning.check(state, seat, sheet, language),
        ruleset.books.gauges(decision.state).holdings,
        text,
        (read or planning.read(text, seat, state.names)).places,
        Raw(_encode(planning.sending(state, sheet))),
    )
