"""The referee's ruling on a request, from the rules alone, or why there is none."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from msgspec import Struct

from mcmulti.domain.core.chance import ChanceWithheld, SeededChance, WithheldChance
from mcmulti.domain.core.course.course import Fact
from mcmulti.domain.core.course.positions import Origin
from mcmulti.domain.core.course.standing import Standing
from mcmulti.domain.core.event import Event, SeriesTable
from mcmulti.domain.core.offers import MOST_EVENTS, ONE_DRAW, TOO_MANY_EVENTS, Rejection
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.events.log.codec import draft
from mcmulti.events.log.envelope import START, Draft, Head, Recorded, seal
from mcmulti.events.log.positions import Position, seat_among
from mcmulti.events.ports.accounts import Player


class Ruling(NamedTuple):
    """The result of a request: the position after it, and the events it led to.

    `happened`: the same events as decoded objects, if they were decided now. `undecided`: the index of the command,
    from 0, at which a trial stopped because it draws or reveals sealed data. `repeated`: whether it is the result of
    the same request sent before. `undone`: whether moves of it were taken back since. `drawn`: whether chance played a
    part.
    """

    position: Position
    events: Sequence[Recorded]
    undecided: int | None = None
    repeated: bool = False
    undone: bool = False
    drawn: bool = False
    happened: Sequence[Event] = ()

    def line(self) -> dict[str, Any]:
        """A summary for the operator's log, without sealed data."""
        return {
            "seq": self.position.head.seq,
            "events": [event.type for event in self.events],
            "command_id": [str(event.command_id) for event in self.events if event.command],
        }


class Refused(Exception):
    """The rules do not allow the request's command number `index`, from 0; nothing was appended."""

    def __init__(self, rejection: Rejection, index: int, position: Position) -> None:
        super().__init__(rejection.code)
        self.rejection = rejection
        self.index = index
        self.position = position


class Elsewhere(Exception):
    """The game is not where the client believes it to be, but at this `head`."""

    def __init__(self, head: Head) -> None:
        super().__init__(f"the game is at event {head.seq}")
        self.head = head


class Stale(Elsewhere):
    """The client decided on an older position of the game; nothing was appended."""


class Unconfirmed(Stale):
    """Moves were taken back since this seat moved, and the client did not say which position it decided on."""


class KeyReused(Exception):
    """The idempotency key was used for another request; nothing was appended."""


class UnknownMoment(Elsewhere):
    """There is no such event; `head` is the end of the log."""


class Idempotency(NamedTuple):
    """A client's key for a request, and SHA-256 over the request."""

    key: str
    request_hash: bytes


class Request(NamedTuple):
    """A request to the referee: commands of a player, or of the server itself, which are all carried out or none.

    `instructed`: the server sends them for the player. `if_match`, `idempotency`: as in the API.
    """

    player: Player | None
    commands: Sequence[Any]
    if_match: Collection[Head] | None = None
    idempotency: Idempotency | None = None
    instructed: bool = False


class CarriedOut(NamedTuple):
    """The results of commands: of each its facts, its sender, and the command; and the state after all of them.

    `undecided` and `drawn` are those of `Ruling`.
    """

    steps: list[tuple[Sequence[Fact], int | None, Any]]
    state: Any
    undecided: int | None
    drawn: bool


def carry_out(
    position: Position, player: UUID | None, commands: Sequence[Any], chance: SeededChance | None
) -> CarriedOut:
    """Carry out a player's commands at a position, all or none; without chance, as a trial. Raises `Refused`.

    Only the last command may draw or reveal sealed data (`chance/one-draw`), and it is known to be legal before
    anything is drawn. So a refusal follows from the position alone. No further command is allowed after too many events
    (`table/request`).
    """
    ruleset, state = position.ruleset, position.state
    withheld = chance.withheld if chance else WithheldChance()
    steps: list[tuple[Sequence[Fact], int | None, Any]] = []
    drawn = False
    led_to = 0
    for index, command in enumerate(commands):
        if led_to > MOST_EVENTS:
            raise Refused(TOO_MANY_EVENTS.rejection(), index, position)
        seat = seat_among(ruleset.players(state), player) if player else None
        offer = ruleset.admit(state, seat, command)
        if isinstance(offer, Rejection):
            raise Refused(offer, index, position)
        try:
            decision = ruleset.carry_out(state, seat, command, offer, withheld)
        except ChanceWithheld:
            if index < len(commands) - 1:
                raise Refused(ONE_DRAW.rejection(), index, position) from None
            if chance is None:
                return CarriedOut(steps, state, index, drawn)
            decision, drawn = ruleset.carry_out(state, seat, command, offer, chance), True
        state = decision.state
        led_to += len(decision.facts)
        actor = seat_among(ruleset.players(state), player) if player and seat is None else seat
        steps.append((decision.facts, actor, command))
    return CarriedOut(steps, state, None, drawn)


def opened(
    ruleset: Ruleset[Any],
    setup: Struct,
    game_id: UUID,
    chance: SeededChance,
    opened_by: UUID | None,
    now: datetime,
    origin: Origin | None = None,
    series: SeriesTable | None = None,
) -> Ruling:
    """The ruling on opening a game. Raises `Refused` if the rule set refuses the setup, and `BadPosition`."""
    opener = None if opened_by is None else str(opened_by)
    decision = ruleset.open(str(game_id), setup, chance, opener, origin, series)
    if isinstance(decision, Rejection):
        raise Refused(decision, 0, Position(game_id, ruleset, None, START))
    events = seal(game_id, START, draft(decision.facts), now)
    happened = [fact.event for fact in decision.facts]
    return Ruling(Position(game_id, ruleset, decision.state, head_of(events)), events, happened=happened)


def judge(
    position: Position,
    before: Standing,
    request: Request,
    chance: SeededChance | None,
    now: datetime,
    first: Any = None,
) -> Ruling:
    """The ruling on a request, preceded by the server's own command `first`, if any; without chance, as a trial.

    Raises `Refused`, `Stale`, and `Unconfirmed`.
    """
    game_id, ruleset, state, head = position
    player, commands, if_match, *_ = request
    if if_match is not None and head not in if_match:
        raise Stale(head)
    if if_match is None and player is not None and before.wary and position.seat_of(player.player_id) in before.wary:
        raise Unconfirmed(head)
    drafts: list[Draft] = []
    happened: list[Event] = []
    begun = position
    if first is not None:
        decision = ruleset.decide(state, None, first, chance.withheld if chance else WithheldChance())
        if isinstance(decision, Rejection):
            raise Refused(decision, 0, position)
        begun = position._replace(state=decision.state)
        drafts += draft(decision.facts, None, uuid4(), first)
        happened += [fact.event for fact in decision.facts]
    done = carry_out(begun, player.player_id if player else None, commands, chance)
    for facts, actor, command in done.steps:
        drafts += draft(facts, actor, uuid4(), command)
        happened += [fact.event for fact in facts]
    events = seal(game_id, head, drafts, now)
    after = Position(game_id, ruleset, done.state, Head(events[-1].seq, events[-1].hash) if events else head)
    return Ruling(after, events, done.undecided, drawn=done.drawn, happened=happened)


def followed(ruling: Ruling, command: Any, chance: SeededChance, now: datetime) -> Ruling:
    """A ruling, extended by a command of the server's own, which may draw; unchanged if it is refused."""
    game_id, ruleset, state, head = ruling.position
    decision = ruleset.decide(state, None, command, chance)
    if isinstance(decision, Rejection):
        return ruling
    events = seal(game_id, head, draft(decision.facts, None, uuid4(), command), now)
    return ruling._replace(
        position=Position(game_id, ruleset, decision.state, head_of(events, head)),
        events=[*ruling.events, *events],
        drawn=True,
        happened=[*ruling.happened, *(fact.event for fact in decision.facts)],
    )


def head_of(events: Sequence[Recorded], before: Head = START) -> Head:
    """The head after these events; `before` if there are none."""
    return Head(events[-1].seq, events[-1].hash) if events else before
