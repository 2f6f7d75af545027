"""How a game flows from one decision to the next: what it has of its own, in what is the same in every game."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import force_setattr

from mcmulti.domain.core import every_table
from mcmulti.domain.core.capabilities.capability import Capability, CapabilityCarrier
from mcmulti.domain.core.capabilities.rounds import Rounds
from mcmulti.domain.core.chance import Chance
from mcmulti.domain.core.commands import Command, LeaveSeat, StartGame, TakeSeat
from mcmulti.domain.core.course import starting
from mcmulti.domain.core.course.course import Course, Decision
from mcmulti.domain.core.course.starting import AgreeToStart
from mcmulti.domain.core.offers import Limit, Offer, Rejection, admitting, open_offers, refusal
from mcmulti.domain.core.table import SITTINGS, Table, offers_joining
from mcmulti.domain.core.wording.sentences import Incomplete

S = TypeVar("S", bound=Table)
C = TypeVar("C", bound=Capability)
Carrier = Callable[[Any, Any, Any, Offer], None]
"""Carries out a command: in this course, for this seat, the command, by the offer that admitted it."""
SETUPS = 1024
"""Of how many setups is remembered which capabilities let something follow."""


class GameFlow(Struct, Generic[S], frozen=True, kw_only=True):
    """Who may do what, and what follows from it. Sitting down and starting is the same in every game."""

    capabilities: tuple[Capability, ...]
    """What the game has besides rules of its own, in the order in which they follow on a command."""
    limits: Mapping[str, Limit]
    """Every code a rejection can have, with its rule; those of every table and of capabilities need not be given."""
    carriers: Mapping[type[Command], Carrier]
    """What carries out each command that seats send, `StartGame` among them."""
    automatic: Mapping[type[Command], Carrier] = {}
    """What carries out each command that only the server sends."""
    offers: Mapping[str, Callable[[S, Any, bool], tuple[Offer, ...]]]
    """By phase, what is offered to a seat, blocked offers among it; nothing in other phases.

    Only if the last argument is true do all that are blocked have to be stated: something is refused, and it is asked
    why.
    """
    defaults: Mapping[str, Callable[[S, int], Command]] = {}
    """By phase, the default answer: what is done for a seat that nobody plays, or whose time is up.

    It is legal, draws no more than the phase does, and buys, sells, pays, and bids nothing unless a rule forces it.
    Games that wait for orders, which have deadlines of their own, have none; all others answer in every phase.
    """
    turn: Callable[[S], int] | None = None
    """The number of the turn that is played, in games that ask one seat at a time; else None."""
    at_turn: Callable[[S], int | None] = lambda state: None
    """The seat whose turn is played, in games with a `turn`; None if it is nobody's."""
    lap: Callable[[S], int] = lambda state: len(state.player_ids)
    """How many turns make a round of turns, in which every seat has one of its own."""
    anybody: bool = False
    """Whether not only those whom the game waits for are asked: `offers` is, for all seats and the server (None)."""
    fewest: int | None = None
    """With how many players the game may start; None if every seat has to be taken."""
    then: Callable[[Any], None] = lambda course: None
    """What follows at once on every command of the game's own."""
    steps: Mapping[str, Callable[[Any], None]] = {}
    """By phase, what happens by itself: one step after the other, until one does nothing."""
    finish: Callable[[Any, str], None]
    """Ends the game now, by its own final ranking, in this course and under this rule; reveals the seed.

    Who left can win nothing.
    """
    beside: Callable[[S, int], tuple[Offer, ...]] | None = None
    """What the game offers to a seat at any time, whomever it waits for, blocked offers among it; None for nothing."""
    stands: Callable[[Course[Any]], bool] = lambda course: False
    """Whether what a command led to cannot be taken back, though nothing was drawn: it says of what is sealed."""
    precise: Callable[[Any, Rejection], Rejection] = lambda command, rejection: rejection
    """Says more of why a command is refused that came near an offer."""

    def __post_init__(self) -> None:
        """Raises `Incomplete` for an answer without offers, and for a capability without one that it needs."""
        if not self.anybody and set(self.defaults) != set(self.offers):
            raise Incomplete(
                f"default answers: {sorted(set(self.defaults) ^ set(self.offers))} in offers or in defaults only"
            )
        rooms = {capability.room for capability in self.capabilities}
        for capability in self.capabilities:
            if missing := set(capability.needs) - rooms:
                raise Incomplete(f"{capability.room} needs {', '.join(sorted(missing))}")
        start = self.carriers[StartGame]
        for capability in self.capabilities:
            start = capability.starting(start)
        force_setattr(self, "carriers", {**self.carriers, StartGame: start})
        force_setattr(self, "limits", every_table.limits_of(self.capabilities, self.limits.values()))

    @property
    def moves(self) -> tuple[type[Command], ...]:
        """The commands that seats send."""
        of_capabilities = (kind for capability in self.capabilities for kind in capability.carriers)
        return (LeaveSeat, AgreeToStart, *self.carriers, *of_capabilities)

    @property
    def by_itself(self) -> tuple[type[Command], ...]:
        """The commands that only the server sends."""
        return (*self.automatic, *(kind for capability in self.capabilities for kind in capability.automatic))

    @property
    def aside(self) -> tuple[type[Command], ...]:
        """The commands that are no moves: the game does not go on by them."""
        return tuple(kind for capability in self.capabilities for kind in capability.aside)

    @property
    def undecided(self) -> tuple[type[Command], ...]:
        """The commands that decide nothing in a game that is played."""
        return (*every_table.UNDECIDED, *(kind for each in self.capabilities for kind in each.undecided))

    def has(self, kind: type[C]) -> C | None:
        """The capability of this kind, if the game has it."""
        return next((capability for capability in self.capabilities if isinstance(capability, kind)), None)

    def admit(self, state: S, seat: int | None, command: Any) -> Offer | Rejection:
        """The offer that makes a command legal, or why it is refused."""
        if isinstance(command, TakeSeat) and (seat is not None or command.player in state.player_ids):
            return self.limits["already_seated"].rejection()
        if state.sittings >= SITTINGS and _comes_back(state, command):
            return self.limits["seated_too_often"].rejection()
        offer = admitting(self.stated(state, seat, False), command) or admitting(self.besides(state, seat), command)
        if offer is not None:
            return offer
        nearest = refusal((*self.stated(state, seat, True), *self.besides(state, seat)), command, self.limits)
        return self._misplaced(state, seat, command) if nearest is None else self.precise(command, nearest)

    def open(self, state: S, seat: int | None) -> tuple[Offer, ...]:
        """What the game asks of a seat now."""
        return open_offers(self.stated(state, seat, False))

    def default_answer(self, state: S, seat: int) -> Command:
        """What is done for this seat, which the game waits for, if it does not answer.

        Raises `LookupError` where a seat writes orders down.
        """
        answer = self.defaults.get(state.phase)
        if answer is None:
            raise LookupError(f"phase {state.phase} has no default answer")
        return answer(state, seat)

    def carry_out(self, state: S, seat: int | None, command: Any, offer: Offer, chance: Chance) -> Decision[S]:
        """What follows from a command that the offer admits: the events up to the next decision."""
        course = Course(state, chance, state.draws)
        self.carry_on(course, seat, command, offer)
        for capability in _following(self.capabilities, state.setup):
            capability.follow(self, course, state, seat, command)
        return Decision(course.facts, course.state)

    def carry_on(self, course: Course[S], seat: int | None, command: Any, offer: Offer) -> None:
        """What is made of a command, and what then happens by itself, until nothing more does."""
        kind = type(command)
        carrier = self.carriers.get(kind) or self.automatic.get(kind)
        if carrier is not None:
            carrier(course, seat, command, offer)
            self.then(course)
        elif course.state.phase == "seating":
            self._seat(course, seat, command, offer)
        else:
            _carriers(self.capabilities)[kind](self, course, seat, command, offer)
        before = None
        while before is not course.state and (step := self.steps.get(course.state.phase)) is not None:
            before = course.state
            step(course)

    def turn_of(self, state: S) -> int:
        """The number of the turn that is played; 0 where seats are not asked one at a time."""
        return 0 if self.turn is None else self.turn(state)

    def number(self, state: S) -> int:
        """The number of the turn that is played, or of the round, where that says more."""
        rounds = _rounds_in(self.capabilities)
        return self.turn_of(state) if rounds is None else rounds.number(state)

    def waits(self, setup: Any) -> bool:
        """Whether somebody's time can be up at a table with this setup."""
        return any(each.concerns(setup) and each.deadlines(self) is not None for each in self.capabilities)

    def besides(self, state: S, seat: int | None) -> tuple[Offer, ...]:
        """What is offered to a seat at any time, whomever the game waits for, blocked offers among it."""
        if state.status != "running" or seat is None or seat not in state.taken:
            return ()
        offers = () if self.beside is None else self.beside(state, seat)
        for capability in _saying(self.capabilities, "offers"):
            offers += capability.offers(self, state, seat)
        return offers

    def stated(self, state: S, seat: int | None, complete: bool) -> tuple[Offer, ...]:
        """All open offers; with `complete` all that are blocked as well, else some of them."""
        phase = state.phase
        if phase == "seating":
            if seat is None:
                return offers_joining(state)
            return starting.offers_seated(self, state, seat) if seat in state.seated else ()
        offers = self.offers.get(phase)
        if offers is None or (seat is not None and seat not in range(len(state.player_ids))):
            return ()
        stated = offers(state, seat, complete) if self.anybody or seat in state.movers else ()
        if seat is not None:
            return stated
        for capability in _saying(self.capabilities, "offers_to_server"):
            stated += capability.offers_to_server(self, state)
        return stated

    def _seat(self, course: Course[S], seat: int | None, command: Any, offer: Offer) -> None:
        """What comes of a command at a table that has not begun to play."""
        if not isinstance(command, AgreeToStart):
            every_table.CARRIERS[type(command)](course, seat, command, offer)
        elif seat is not None and starting.agree(course, seat, offer):
            self.carry_on(course, seat, StartGame(), offer)

    def _misplaced(self, state: S, seat: int | None, command: Any) -> Rejection:
        """Why no offer is about this command: the game, the turn or the phase is another."""
        automatic, phase = type(command) in self.by_itself, state.phase
        if automatic and seat is not None:
            code = "not_for_seats"
        elif not automatic and not isinstance(command, TakeSeat) and seat not in range(len(state.player_ids)):
            code = "no_seat"
        elif phase == "over":
            code = "game_over"
        elif phase == "seating":
            code = "not_started"
        elif isinstance(command, TakeSeat | LeaveSeat | StartGame | AgreeToStart):
            code = "game_started"
        else:
            code = "out_of_phase" if seat in state.to_move else "out_of_turn"
        return self.limits[code].rejection()


def _comes_back(state: Table, command: Any) -> bool:
    """Whether somebody who left a table takes a seat there before the start."""
    return isinstance(command, TakeSeat) and state.phase == "seating" and command.player in state.everybody


@lru_cache(maxsize=SETUPS)
def _following(capabilities: tuple[Capability, ...], setup: Any) -> tuple[Capability, ...]:
    """The capabilities that let something follow on commands at a table with this setup."""
    return tuple(capability for capability in _saying(capabilities, "follow") if capability.concerns(setup))


@lru_cache
def _rounds_in(capabilities: tuple[Capability, ...]) -> Rounds[Any] | None:
    """The rounds among these, if there are any."""
    return next((capability for capability in capabilities if isinstance(capability, Rounds)), None)


@lru_cache
def _saying(capabilities: tuple[Capability, ...], hook: str) -> tuple[Capability, ...]:
    """The capabilities that have something of their own to say there."""
    return tuple(capability for capability in capabilities if capability.says(hook))


@lru_cache
def _carriers(capabilities: tuple[Capability, ...]) -> Mapping[type[Command], CapabilityCarrier]:
    """What carries out commands of capabilities in a running game."""
    carriers: dict[type[Command], CapabilityCarrier] = {}
    for capability in capabilities:
        carriers |= {**capability.carriers, **capability.automatic, **capability.joining}
    return carriers
