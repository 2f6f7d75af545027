"""How a game flows from one decision to the next: the parts of one game in a frame shared by all."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import force_setattr

from mcmulti.domain.core import every_table
from mcmulti.domain.core.capabilities.capability import Capability, CapabilityCarrier
from mcmulti.domain.core.chance import Chance
from mcmulti.domain.core.commands import Command, LeaveSeat, StartGame, TakeSeat
from mcmulti.domain.core.course import starting
from mcmulti.domain.core.course.course import Course, Decision
from mcmulti.domain.core.course.starting import AgreeToStart
from mcmulti.domain.core.course.terms import SETUPS
from mcmulti.domain.core.offers import Limit, Offer, Rejection, admitting, open_offers, refusal
from mcmulti.domain.core.table import SITTINGS, Table, offers_joining
from mcmulti.domain.core.wording.sentences import Incomplete

S = TypeVar("S", bound=Table)
C = TypeVar("C", bound=Capability)
Carrier = Callable[[Any, Any, Any, Offer], None]
"""Carries out a command, given the course, the seat, the command, and the offer that admitted it."""


class GameFlow(Struct, Generic[S], frozen=True, kw_only=True):
    """Who may do what, and the consequences. Sitting down and starting is the same in every game."""

    capabilities: tuple[Capability, ...]
    """The game's capabilities, in the order in which their consequences follow on a command."""
    limits: Mapping[str, Limit]
    """Every rejection code, with its rule. Those of every table and of capabilities need not be given."""
    carriers: Mapping[type[Command], Carrier]
    """The handler of each command that seats send, including `StartGame`."""
    automatic: Mapping[type[Command], Carrier] = {}
    """The handler of each command that only the server sends."""
    offers: Mapping[str, Callable[[S, Any, bool], tuple[Offer, ...]]]
    """The offers to a seat in each phase, including blocked ones; none in other phases.

    Only if the last argument is true must all blocked offers be stated: a command was refused, and the reason is
    needed.
    """
    defaults: Mapping[str, Callable[[S, int], Command]] = {}
    """The default answer in each phase: what is done for a vacant seat, or if its time is up.

    It is legal, draws no more than the phase does, and buys, sells, pays, and bids nothing unless a rule forces it.
    Games that wait for orders, which have deadlines of their own, have none. All others answer in every phase.
    """
    turn: Callable[[S], int] | None = None
    """The number of the current turn, in games that ask one seat at a time; else None."""
    at_turn: Callable[[S], int | None] = lambda state: None
    """The seat whose turn it is, in games with a `turn`; None if it is nobody's."""
    lap: Callable[[S], int] = lambda state: len(state.player_ids)
    """How many turns make a round of turns, in which every seat has one of its own."""
    anybody: bool = False
    """Whether `offers` is asked for all seats and the server (None), not only for the seats that the game waits for."""
    fewest: int | None = None
    """The fewest players the game can start with; None if every seat must be taken."""
    then: Callable[[Any], None] = lambda course: None
    """The immediate consequences of every command of the game's own."""
    steps: Mapping[str, Callable[[Any], None]] = {}
    """The automatic step in each phase. It is repeated until it does nothing."""
    finish: Callable[[Any, str], None]
    """End the game now by its own final ranking, in this course and under this rule, and reveal the seed.

    Players who left cannot win.
    """
    beside: Callable[[S, int], tuple[Offer, ...]] | None = None
    """What the game offers to a seat at any time, including blocked offers; None for nothing."""
    stands: Callable[[Course[Any]], bool] = lambda course: False
    """Whether the results of a command are final though nothing was drawn, because they reveal something sealed."""
    precise: Callable[[Any, Rejection], Rejection] = lambda command, rejection: rejection
    """Makes the reason more precise if a refused command came near an offer."""

    def __post_init__(self) -> None:
        """Raises `Incomplete` for a default answer without offers, a capability without one that it needs, and a game
        that nothing starts.
        """
        if not self.anybody and set(self.defaults) != set(self.offers):
            raise Incomplete(
                f"default answers: {sorted(set(self.defaults) ^ set(self.offers))} in offers or in defaults only"
            )
        rooms = {capability.room for capability in self.capabilities}
        for capability in self.capabilities:
            if missing := set(capability.needs) - rooms:
                raise Incomplete(f"{capability.room} needs {', '.join(sorted(missing))}")
        if StartGame not in self.carriers:
            raise Incomplete("StartGame has no handler")
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
        """The commands that are not moves: they do not advance the game."""
        return tuple(kind for capability in self.capabilities for kind in capability.aside)

    @property
    def undecided(self) -> tuple[type[Command], ...]:
        """The commands that count as no decision of a player."""
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
        """The default answer for this seat, which the game waits for.

        Raises `LookupError` in games in which seats write down orders.
        """
        answer = self.defaults.get(state.phase)
        if answer is None:
            raise LookupError(f"phase {state.phase} has no default answer")
        return answer(state, seat)

    def carry_out(self, state: S, seat: int | None, command: Any, offer: Offer, chance: Chance) -> Decision[S]:
        """The results of a command that the offer admits: the events up to the next decision."""
        course = Course(state, chance, state.draws)
        self.carry_on(course, seat, command, offer)
        for capability in _following(self.capabilities, state.setup):
            capability.follow(self, course, state, seat, command)
        return Decision(course.facts, course.state)

    def carry_on(self, course: Course[S], seat: int | None, command: Any, offer: Offer) -> None:
        """Carry out a command and its automatic consequences, until nothing more happens."""
        kind = type(command)
        carrier = self.carriers.get(kind) or self.automatic.get(kind)
        if carrier is not None:
            if kind is StartGame:
                carrier = _starting(self.capabilities, carrier)
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
        """The number of the current turn; 0 if seats are not asked one at a time."""
        return 0 if self.turn is None else self.turn(state)

    def number(self, state: S) -> int:
        """The number of the current turn, or what a capability counts instead, such as rounds."""
        number = _numbering(self.capabilities)
        return self.turn_of(state) if number is None else number(state)

    def waits(self, setup: Any) -> bool:
        """Whether a table with this setup has time limits."""
        return any(each.concerns(setup) and each.deadlines(self) is not None for each in self.capabilities)

    def besides(self, state: S, seat: int | None) -> tuple[Offer, ...]:
        """What a seat is offered at any time, whoever's move it is, including blocked offers."""
        if state.status != "running" or seat is None or seat not in state.taken:
            return ()
        offers = () if self.beside is None else self.beside(state, seat)
        for capability in _saying(self.capabilities, "besides"):
            offers += capability.besides(self, state, seat)
        return offers

    def stated(self, state: S, seat: int | None, complete: bool) -> tuple[Offer, ...]:
        """All open offers. With `complete` also all blocked ones, otherwise only some of them."""
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
        """Carry out a command at a table before the start."""
        if not isinstance(command, AgreeToStart):
            every_table.CARRIERS[type(command)](course, seat, command, offer)
        elif seat is not None and starting.agree(course, seat, offer):
            self.carry_on(course, seat, StartGame(), offer)

    def _misplaced(self, state: S, seat: int | None, command: Any) -> Rejection:
        """Why no offer is about this command: it belongs to another game, turn, or phase."""
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
    """Whether a player who left a table takes a seat there again before the start."""
    return isinstance(command, TakeSeat) and state.phase == "seating" and command.player in state.everybody


@lru_cache(maxsize=SETUPS)
def _following(capabilities: tuple[Capability, ...], setup: Any) -> tuple[Capability, ...]:
    """The capabilities with consequences of commands at a table with this setup."""
    return tuple(capability for capability in _saying(capabilities, "follow") if capability.concerns(setup))


@lru_cache
def _starting(capabilities: tuple[Capability, ...], start: Carrier) -> Carrier:
    """The handler of `StartGame`, given that of the game itself: capabilities may start it in another way."""
    for capability in capabilities:
        start = capability.starting(start)
    return start


@lru_cache
def _numbering(capabilities: tuple[Capability, ...]) -> Callable[[Any], int] | None:
    """What one of these counts instead of turns, if any does."""
    return next((number for capability in capabilities if (number := capability.number) is not None), None)


@lru_cache
def _saying(capabilities: tuple[Capability, ...], hook: str) -> tuple[Capability, ...]:
    """The capabilities that override this hook."""
    return tuple(capability for capability in capabilities if capability.says(hook))


@lru_cache
def _carriers(capabilities: tuple[Capability, ...]) -> Mapping[type[Command], CapabilityCarrier]:
    """The handlers of commands of capabilities in a running game."""
    carriers: dict[type[Command], CapabilityCarrier] = {}
    for capability in capabilities:
        carriers |= {**capability.carriers, **capability.automatic, **capability.joining}
    return carriers
