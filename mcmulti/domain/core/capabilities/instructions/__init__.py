"""Standing instructions: what a seat wants done when it is asked in another's turn, so that nobody has to wait for it.

What an instruction says is its owner's alone until the game is over; that a seat sent one, or none any more, everybody
sees. An instruction answers by commands of the seat, which stand in the log as if a person had sent them. Its guards
are looked at when the seat is asked: the first that holds switches it off, until another is sent.
"""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Generic, Protocol, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from mcmulti.domain.core.capabilities import leaving
from mcmulti.domain.core.capabilities.capability import Capability, CapabilityCarrier, Slot
from mcmulti.domain.core.capabilities.leaving.departures import departures_of
from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.course.course import Course
from mcmulti.domain.core.course.questions import Questions
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
"""Refused by the referee, which gives each command of an answer a moment of its own."""
LIMITS = (Limit("no_instructions", RULE), Limit("answers_too_late", RULE), ONE_BY_ONE)
"""What keeps people from setting instructions or answering, and a table from allowing them."""


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
    """What a seat wants done, as its game knows it."""

    def guard(self, state: Any, seat: int) -> Code | None:
        """What switches the instruction off now that the seat is asked; None if nothing does."""


O = TypeVar("O", bound=Orders)  # noqa: E741


class OfTenure(Protocol):
    """An event that is its owner's alone."""

    @property
    def seat(self) -> int:
        """Whose it is."""

    @property
    def tenure(self) -> int:
        """How many had played the seat before."""


class Instruction(Struct, Generic[O], frozen=True, gc=False):
    """What a seat wants done when it is asked. `off`: the guard that switched it off, None while it is on."""

    orders: O
    off: Code | None = None


class Instructed(Slot, Generic[O], frozen=True, gc=False):
    """By seat what it set to be done when it is asked, None for nothing; empty as long as nobody has."""

    by_seat: tuple[Instruction[O] | None, ...] = ()

    def of(self, seat: int) -> Instruction[O] | None:
        """What a seat has set, on or off; None if it has set nothing."""
        return self.by_seat[seat] if seat < len(self.by_seat) else None

    def vacated(self, seat: int) -> "Instructed[O]":
        """Who left has set nothing."""
        return self if seat >= len(self.by_seat) else Instructed(put(self.by_seat, seat, None))

    def put(self, seat: int, instruction: Instruction[O] | None) -> "Instructed[O]":
        """When a seat has set that."""
        return Instructed(put(self.by_seat + (None,) * (seat + 1 - len(self.by_seat)), seat, instruction))


class Instructs(Command, frozen=True):
    """Base of commands that set an instruction, in the field `orders` that each game adds; None is none any more."""


class InstructionSent(Event, frozen=True):
    """Base of the events that set an instruction, in the field `orders` that each game adds; None is none any more.

    `tenure` counts who played the seat before. `salt` keeps others from guessing the orders from the digest.
    """

    seat: Seat
    tenure: Count
    salt: Salt

    def evolve(self, state: Any) -> Any:
        orders = getattr(self, "orders")  # noqa: B009  (which each game adds)
        found = None if orders is None else Instruction(orders)
        return replace(with_instruction(state, self.seat, found), salts=state.salts + 1)


def instruction_of(state: Any, seat: int) -> Instruction[Any] | None:
    """What a seat has set, on or off; None if it has set nothing."""
    instructed: Instructed[Any] | None = getattr(state, "instructed", None)
    return None if instructed is None else instructed.of(seat)


def with_instruction(state: T, seat: int, instruction: Instruction[Any] | None) -> T:
    """The state in which a seat has set that."""
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
    """How many have played a seat before who plays it now."""
    tenants = departures_of(state).tenants
    return len(tenants[seat]) - 1 if tenants else 0


def sealed(state: Table, event: OfTenure, seat: int | None) -> bool:
    """What an instruction says is for who set it alone until the game is over: not for who plays the seat later."""
    return state.phase != "over" and (event.seat != seat or event.tenure != tenure(state, seat))


class Instructions(Capability, Generic[S], frozen=True, kw_only=True):
    """Standing instructions, with what a game has of its own in them."""

    room: ClassVar[str] = __name__
    option: ClassVar[str] = "instructions"
    slot: ClassVar[str] = "instructed"
    needs: ClassVar[tuple[str, ...]] = (leaving.__name__,)
    limits: ClassVar[tuple[Limit, ...]] = LIMITS

    command: type[Instructs]
    """The command that sets one."""
    event: type[InstructionSent]
    """The event that it leads to: seat, tenure, salt, orders."""
    orders: str
    """The name of the schema of the orders."""
    following: Callable[[S, int, Any, Sequence[Offer]], Command]
    """The next command by which a seat's orders answer, of these offers, which are open."""
    asked: Callable[[S], tuple[int, int] | None]
    """The turn, and the seat that is asked in it, though the turn is another's; None if none is, or not about what
    instructions answer."""
    commands: int
    """How many commands an answer has at most before the game waits for another seat."""
    asks: Callable[[Any], bool]
    """Whether an event asks a seat so: then guards are looked at, set or not."""

    @property
    def carriers(self) -> Mapping[type[Command], CapabilityCarrier]:
        return {self.command: self._instruct}

    @property
    def aside(self) -> tuple[type[Command], ...]:
        return (self.command,)

    @property
    def redactions(self) -> tuple[Redaction[Any], ...]:
        """What an instruction says; who may not see it folds one that says nothing."""

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
        """No instruction can answer when time is up."""
        clock = getattr(setup, "clock", None)
        if setup.instructions is None or clock is None:
            return None
        most = (2 * clock.move_seconds - self.commands - 1) // (2 * self.commands)  # half a second more for each
        return LIMITS[1].rejection("instructions", max(most, 0)) if setup.instructions > most else None

    def concerns(self, setup: Any) -> bool:
        return setup.instructions is not None

    def offers(self, game: "GameFlow[Any]", state: Any, seat: int) -> tuple[Offer, ...]:
        """Set an instruction, or none any more: at any time, asked or not (`table/instruct`)."""
        blocked = "no_instructions" if state.setup.instructions is None else None
        orders: dict[str, Field] = {"orders": Form(self.orders, optional=True)}
        return (Offer(self.command.__name__, RULE, orders, blocked_by=blocked),)

    def settles(self, game: "GameFlow[Any]", course: Course[Any], command: Any) -> bool:
        """Nothing before a seat was asked can be taken back, lest sealed guards are tried out for free."""
        return course.state.setup.instructions is not None and any(self.asks(fact.event) for fact in course.facts)

    def question(self, state: Any) -> tuple[int, int] | None:
        """The turn, and the seat that is asked in it, though it is another's, and answers no sooner than the table
        agreed; None if none is, or the table allows no instructions.
        """
        if state.setup.instructions is None or state.status != "running":
            return None
        return self.asked(state)

    def answer(self, game: "GameFlow[Any]", state: Any) -> Command | None:
        """The next command by which an instruction answers for the seat that is asked.

        None if none does: none is on, or it comes to something that is not offered. Then it makes nothing else.
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
        """Note what the seat sent."""
        state = play.state
        made: Callable[..., InstructionSent] = self.event
        salt = play.chance.salt(state.salts + 1)
        play.record(made(seat=seat, tenure=tenure(state, seat), salt=salt, orders=command.orders), RULE)
