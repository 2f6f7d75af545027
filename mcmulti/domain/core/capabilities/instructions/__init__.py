"""Standing instructions: what a seat wants done when it is asked in another player's turn, so that nobody waits for it.

Only its owner can read an instruction until the game is over. Everybody sees that a seat set or removed one. An
instruction answers by commands of the seat, which are logged as if a person had sent them. Its guards are checked when
the seat is asked: the first that holds switches it off, until another is sent.
"""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Generic, Protocol, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from mcmulti.domain.core.capabilities import leaving
from mcmulti.domain.core.capabilities.capability import Capability, CapabilityCarrier, Slot
from mcmulti.domain.core.capabilities.clock import agreed_clock
from mcmulti.domain.core.capabilities.leaving.departures import departures_of
from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.course.course import Course
from mcmulti.domain.core.course.deadlines import Questions
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Code, Count, Salt, Seat
from mcmulti.domain.core.offers import Field, Form, Limit, Offer, Rejection
from mcmulti.domain.core.shown.redaction import Redaction
from mcmulti.domain.core.table import Table
from mcmulti.domain.core.tuples import put

if TYPE_CHECKING:
    from mcmulti.domain.core.flow import GameFlow

S = TypeVar("S", bound=Table)
T = TypeVar("T", bound=Table)

RULE = "table/instruct"

ONE_BY_ONE = Limit("one_by_one", RULE)
"""Refused by the referee, which gives each command of an answer its own moment."""
LIMITS = (Limit("no_instructions", RULE), Limit("answers_too_late", RULE), ONE_BY_ONE)
"""The limits for setting instructions, for answering, and for tables that allow them."""


InstructionsOption = Annotated[
    Annotated[int, Meta(ge=2, le=10)] | None,
    Meta(
        description="Seconds after which seats answer that are asked during other players' turns. The delay hides "
        "whether"
        " standing instructions answered. Null turns standing instructions off (`table/instruct`)."
    ),
]
"""The field of a setup."""


class Orders(Protocol):
    """What a seat wants done, in the terms of its game."""

    def guard(self, state: Any, seat: int) -> Code | None:
        """The guard that switches the instruction off now that the seat is asked; None if none does."""


O = TypeVar("O", bound=Orders)  # noqa: E741


class OfTenure(Protocol):
    """An event that only its owner can read."""

    @property
    def seat(self) -> int:
        """The owner's seat."""

    @property
    def tenure(self) -> int:
        """How many players had the seat before."""


class Instruction(Struct, Generic[O], frozen=True, gc=False):
    """What a seat wants done when it is asked. `off`: the guard that switched it off, None while it is on."""

    orders: O
    off: Code | None = None


class Instructed(Slot, Generic[O], frozen=True, gc=False):
    """The instruction of each seat, None for none. Empty as long as no seat has one."""

    by_seat: tuple[Instruction[O] | None, ...] = ()

    def instruction(self, seat: int) -> Instruction[O] | None:
        """The instruction of a seat, on or off; None if it has none."""
        return self.by_seat[seat] if seat < len(self.by_seat) else None

    def vacated(self, seat: int) -> "Instructed[O]":
        """A player who left has no instruction."""
        return self if seat >= len(self.by_seat) else Instructed(put(self.by_seat, seat, None))

    def put(self, seat: int, instruction: Instruction[O] | None) -> "Instructed[O]":
        """The instructions after a seat set this one."""
        return Instructed(put(self.by_seat + (None,) * (seat + 1 - len(self.by_seat)), seat, instruction))


class Instructs(Command, frozen=True):
    """Base of commands that set an instruction, in the field `orders` that each game adds. None removes it."""


class InstructionSent(Event, frozen=True):
    """Base of the events that set an instruction, in the field `orders` that each game adds; None removes it.

    `tenure`: how many players had the seat before. `salt`: keeps others from guessing the orders from the digest.
    """

    seat: Seat
    tenure: Count
    salt: Salt

    def evolve(self, state: Any) -> Any:
        orders = getattr(self, "orders")  # noqa: B009  (which each game adds)
        found = None if orders is None else Instruction(orders)
        return replace(with_instruction(state, self.seat, found), salts=state.salts + 1)


def instruction_of(state: Any, seat: int) -> Instruction[Any] | None:
    """The instruction of a seat, on or off; None if it has none."""
    instructed: Instructed[Any] | None = getattr(state, "instructed", None)
    return None if instructed is None else instructed.instruction(seat)


def with_instruction(state: T, seat: int, instruction: Instruction[Any] | None) -> T:
    """The state after a seat set this instruction."""
    instructed: Instructed[Any] = getattr(state, "instructed")  # noqa: B009  (the slot of games with instructions)
    return replace(state, instructed=instructed.put(seat, instruction))


def asked(state: T, seat: int) -> T:
    """The state in which a seat is asked in another's turn: a guard that holds has switched its instruction off."""
    found = instruction_of(state, seat)
    if found is None or found.off is not None:
        return state
    guard = found.orders.guard(state, seat)
    return state if guard is None else with_instruction(state, seat, replace(found, off=guard))


def tenure(state: Table, seat: int) -> int:
    """How many players had a seat before its current player."""
    tenants = departures_of(state).tenants
    return len(tenants[seat]) - 1 if tenants else 0


def sealed(state: Table, event: OfTenure, seat: int | None) -> bool:
    """Whether an instruction is sealed: until the game is over only the player who set it can read it, no
    later player.
    """
    return state.phase != "over" and (event.seat != seat or event.tenure != tenure(state, seat))


class Instructions(Capability, Generic[S], frozen=True, kw_only=True):
    """Standing instructions, with the parts that a game adds."""

    room: ClassVar[str] = __name__
    option: ClassVar[str] = "instructions"
    slot: ClassVar[str] = "instructed"
    needs: ClassVar[tuple[str, ...]] = (leaving.__name__,)
    limits: ClassVar[tuple[Limit, ...]] = LIMITS

    command: type[Instructs]
    """The command that sets one."""
    event: type[InstructionSent]
    """The event it leads to: seat, tenure, salt, orders."""
    orders: str
    """The name of the schema of the orders."""
    following: Callable[[S, int, Any, Sequence[Offer]], Command]
    """The next command with which a seat's orders answer, out of these open offers."""
    asked: Callable[[S], tuple[int, int] | None]
    """The turn, and the seat that is asked in another's turn; None if no seat is, or if it is asked something that
    instructions do not answer.
    """
    commands: int
    """The most commands in an answer before the game waits for another seat."""
    asks: Callable[[Any], bool]
    """Whether an event asks a seat in this way. Guards are then checked, whether set or not."""

    @property
    def carriers(self) -> Mapping[type[Command], CapabilityCarrier]:
        return {self.command: self._instruct}

    @property
    def aside(self) -> tuple[type[Command], ...]:
        return (self.command,)

    @property
    def redactions(self) -> tuple[Redaction[Any], ...]:
        """The orders of an instruction. Readers who may not see them fold an event without any."""

        def stand_in(types: Sequence[str], seat: int | None) -> InstructionSent:
            made: Callable[..., InstructionSent] = self.event
            return made(seat=seat, tenure=0, salt="0" * 32, orders=None)

        return (Redaction(type=self.event.__name__, sealed=sealed, stand_in=stand_in),)

    def questions(self, game: "GameFlow[Any]") -> Questions[Any]:
        return Questions(
            after=attrgetter("setup.instructions"),
            asked=self.question,
            answer=lambda state: self.answer(game, state),
            given=lambda command: not isinstance(command, (*game.aside, leaving.Resign)),
            one_by_one=ONE_BY_ONE,
        )

    def unfit(self, game: "GameFlow[Any]", setup: Any) -> Rejection | None:
        """An instruction cannot answer when time is up."""
        clock = agreed_clock(setup)
        if setup.instructions is None or clock is None:
            return None
        most = (2 * clock.move_seconds - self.commands - 1) // (2 * self.commands)  # plus half a second for each
        return LIMITS[1].rejection("instructions", max(most, 0)) if setup.instructions > most else None

    def concerns(self, setup: Any) -> bool:
        return setup.instructions is not None

    def besides(self, game: "GameFlow[Any]", state: Any, seat: int) -> tuple[Offer, ...]:
        """Set or remove an instruction at any time, asked or not (`table/instruct`)."""
        blocked = "no_instructions" if state.setup.instructions is None else None
        orders: dict[str, Field] = {"orders": Form(self.orders, optional=True)}
        return (Offer(self.command.__name__, RULE, orders, blocked_by=blocked),)

    def settles(self, game: "GameFlow[Any]", course: Course[Any], command: Any) -> bool:
        """Moves before a seat was asked are final, so that nobody can probe sealed guards for free."""
        return course.state.setup.instructions is not None and any(self.asks(fact.event) for fact in course.facts)

    def question(self, state: Any) -> tuple[int, int] | None:
        """The turn, and the seat that is asked in another's turn and answers after the table's delay; None if no seat
        is, or the table allows no instructions.
        """
        if state.setup.instructions is None or state.status != "running":
            return None
        return self.asked(state)

    def answer(self, game: "GameFlow[Any]", state: Any) -> Command | None:
        """The next command with which an instruction answers for the seat that is asked.

        None if none does: no instruction is on, or its command is not offered. Then it does nothing else instead.
        """
        question = self.question(state)
        if question is None:
            return None
        seat = question[1]
        found = instruction_of(state, seat)
        if found is None or found.off is not None:
            return None
        command = self.following(state, seat, found.orders, game.open(state, seat))
        return None if isinstance(game.admit(state, seat, command), Rejection) else command

    def _instruct(self, game: "GameFlow[Any]", play: Course[Any], seat: int, command: Any, offer: Offer) -> None:
        """Record what the seat sent."""
        state = play.state
        made: Callable[..., InstructionSent] = self.event
        salt = play.chance.salt(state.salts + 1)
        play.record(made(seat=seat, tenure=tenure(state, seat), salt=salt, orders=command.orders), RULE)
