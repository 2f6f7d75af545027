"""Standing instructions: what a seat wants done when it is asked in another's turn, so that nobody has to wait for it.

What an instruction says is its owner's alone until the game is over; that a seat sent one, or none any more, everybody
sees. An instruction answers by commands of the seat, which stand in the log as if a person had sent them. Its guards
are looked at when the seat is asked: the first that holds switches it off, until another is sent.
"""

from collections.abc import Callable, Sequence
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.course import Course
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Code, Count, Salt, Seat
from mcmulti.domain.core.offers import Form, Limit, Offer, Rejection
from mcmulti.domain.core.setup import TableSetup
from mcmulti.domain.core.table import Table
from mcmulti.domain.core.tuples import put

S = TypeVar("S", bound=Table)
T = TypeVar("T", bound=Table)

RULE = "table/instruct"

ONE_BY_ONE = Limit("one_by_one", RULE)
"""Refused by the referee, which gives each command of an answer a moment of its own."""
LIMITS = (Limit("no_instructions", RULE), Limit("answers_too_late", RULE), ONE_BY_ONE)
"""What keeps people from setting instructions or answering, and a table from allowing them."""


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


class Instructing(Struct, Generic[S], frozen=True, kw_only=True):
    """What a game has of its own in instructions."""

    command: type[Instructs]
    """The command that sets one."""
    event: Callable[..., InstructionSent]
    """The event that it leads to: seat, tenure, salt, orders."""
    orders: str
    """The name of the schema of the orders."""
    following: Callable[[S, int, Any, Sequence[Offer]], Command]
    """The next command by which a seat's orders answer, of these offers, which are open."""
    question: Callable[[S], tuple[int, int] | None]
    """The turn, and the seat that is asked in it, though the turn is another's; None if none is, or not about what
    instructions answer."""
    commands: int
    """How many commands an answer has at most before the game waits for another seat."""
    asks: Callable[[Any], bool]
    """Whether an event asks a seat so: then guards are looked at, set or not."""


def instruction_of(state: Table, seat: int) -> Instruction[Any] | None:
    """What a seat has set, on or off; None if it has set nothing."""
    return state.instructed[seat] if seat < len(state.instructed) else None


def with_instruction(state: T, seat: int, instruction: Instruction[Any] | None) -> T:
    """The state in which a seat has set that."""
    padded = state.instructed + (None,) * (seat + 1 - len(state.instructed))
    return replace(state, instructed=put(padded, seat, instruction))


def asked(state: T, seat: int) -> T:
    """The state in which a seat is asked in another's turn: a guard that holds has switched its instruction off."""
    found = instruction_of(state, seat)
    if found is None or found.off is not None:
        return state
    guard = found.orders.guard(state, seat)
    return state if guard is None else with_instruction(state, seat, replace(found, off=guard))


def tenure(state: Table, seat: int) -> int:
    """How many have played a seat before who plays it now."""
    tenants = state.departures.tenants
    return len(tenants[seat]) - 1 if tenants else 0


def were_asked(course: Course[Any], game: Instructing[Any] | None) -> bool:
    """Whether a seat was asked: nothing before it can be taken back, lest sealed guards are tried out for free."""
    if game is None or course.state.setup.instructions is None:
        return False
    return any(game.asks(fact.event) for fact in course.facts)


def unfit(setup: TableSetup, game: Instructing[Any] | None) -> Rejection | None:
    """Why no table can be set up with instructions: the game has none, or they would answer when time is up."""
    if setup.instructions is None:
        return None
    if game is None:
        return LIMITS[0].rejection("instructions")
    clock = setup.clock
    if clock is None:
        return None
    most = (2 * clock.move_seconds - game.commands - 1) // (2 * game.commands)  # half a second more for each command
    return LIMITS[1].rejection("instructions", max(most, 0)) if setup.instructions > most else None


def question(state: S, game: Instructing[S] | None) -> tuple[int, int] | None:
    """The turn, and the seat that is asked in it and answers no sooner than the table agreed; None if none does."""
    if game is None or state.status != "running":
        return None
    return game.question(state)


def offers(state: Table, game: Instructing[Any] | None) -> tuple[Offer, ...]:
    """Set an instruction, or none any more: at any time, asked or not (`table/instruct`)."""
    if game is None:
        return ()
    blocked = "no_instructions" if state.setup.instructions is None else None
    return (Offer(game.command.__name__, RULE, {"orders": Form(game.orders, optional=True)}, blocked_by=blocked),)


def instruct(play: Course[Any], seat: int, command: Any, game: Instructing[Any]) -> None:
    """Note what the seat sent."""
    state = play.state
    salt = play.chance.salt(state.salts + 1)
    play.record(game.event(seat=seat, tenure=tenure(state, seat), salt=salt, orders=command.orders), RULE)


def sealed(state: Table, event: OfTenure, seat: int | None) -> bool:
    """What an instruction says is for who set it alone until the game is over: not for who plays the seat later."""
    return state.phase != "over" and (event.seat != seat or event.tenure != tenure(state, seat))


def stand_in(game: Instructing[Any]) -> Callable[[Sequence[str], int | None], InstructionSent]:
    """What to fold for an instruction that is sealed: one that says nothing."""
    return lambda types, seat: game.event(seat=seat, tenure=0, salt="0" * 32, orders=None)
