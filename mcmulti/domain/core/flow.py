"""How a game flows from one decision to the next: what it has of its own, in what is the same in every game."""

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from msgspec import Struct

from mcmulti.domain.core import clocks, every_table, instructions, leaving, starting, takeback
from mcmulti.domain.core.chance import Chance
from mcmulti.domain.core.clocks import GrantTime, MissesForgiven, TimeOut, UseBank
from mcmulti.domain.core.commands import Command, LeaveSeat, StartGame, TakeSeat
from mcmulti.domain.core.course import Course, Decision
from mcmulti.domain.core.departures import NO_DEPARTURES
from mcmulti.domain.core.instructions import Instructing, instruction_of
from mcmulti.domain.core.offers import Limit, Offer, Rejection, admitting, leave_a_choice, open_offers, refusal
from mcmulti.domain.core.sentences import Incomplete
from mcmulti.domain.core.starting import AgreeToStart
from mcmulti.domain.core.table import Table, offers_joining
from mcmulti.domain.core.unasked import RULES, MovedUnasked, Why

S = TypeVar("S", bound=Table)
Carrier = Callable[[Any, Any, Any, Offer], None]
"""Carries out a command: in this course, for this seat, the command, by the offer that admitted it."""


_BY_THE_CLOCK: tuple[type[Command], ...] = (UseBank, TimeOut)


class GameFlow(Struct, Generic[S], frozen=True, kw_only=True):
    """Who may do what, and what follows from it. Sitting down and leaving is the same in every game."""

    limits: Mapping[str, Limit]
    """Every code a rejection can have, with its rule."""
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
    """The number of the turn that is played, in games that may have clocks, which ask one seat at a time; else None."""
    at_turn: Callable[[S], int | None] = lambda state: None
    """The seat whose turn is played, in games with a `turn`; None if it is nobody's."""
    round: Callable[[S], int] | None = None
    """The number of the round that is played, where `turn` is None."""
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
    sell_out: Callable[[Any, int], None] | None = None
    """Sells what a player who left has (`sold` in the setup); None where nothing can be sold."""
    instructing: Instructing[Any] | None = None
    """What standing instructions are about, in games that ask seats in others' turns; None in others."""
    beside: Callable[[S, int], tuple[Offer, ...]] | None = None
    """What the game offers to a seat at any time, whomever it waits for, blocked offers among it; None for nothing."""
    stands: Callable[[Course[Any]], bool] = lambda course: False
    """Whether what a command led to cannot be taken back, though nothing was drawn: it says of what is sealed."""
    precise: Callable[[Any, Rejection], Rejection] = lambda command, rejection: rejection
    """Says more of why a command is refused that came near an offer."""

    def __post_init__(self) -> None:
        if not self.anybody and set(self.defaults) != set(self.offers):
            raise Incomplete(
                f"default answers: {sorted(set(self.defaults) ^ set(self.offers))} in offers or in defaults only"
            )

    @property
    def moves(self) -> tuple[type[Command], ...]:
        """The commands that seats send."""
        in_turn: tuple[type[Command], ...] = () if self.turn is None else (GrantTime, *takeback.COMMANDS)
        instructs = () if self.instructing is None else (self.instructing.command,)
        return (LeaveSeat, AgreeToStart, *in_turn, *self.carriers, *leaving.COMMANDS, *instructs)

    @property
    def by_itself(self) -> tuple[type[Command], ...]:
        """The commands that only the server sends."""
        return (*self.automatic, *(() if self.turn is None else _BY_THE_CLOCK))

    def admit(self, state: S, seat: int | None, command: Any) -> Offer | Rejection:
        """The offer that makes a command legal, or why it is refused."""
        if isinstance(command, TakeSeat) and (seat is not None or command.player in state.player_ids):
            return self.limits["already_seated"].rejection()
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

    def question(self, state: S) -> tuple[int, int] | None:
        """The turn, and the seat that is asked in it, though it is another's, and may leave the answer to an
        instruction; None if none is, or the table allows none (`table/instruct`).
        """
        if state.setup.instructions is None:
            return None
        return instructions.question(state, self.instructing)

    def instructed_answer(self, state: S) -> Command | None:
        """The next command by which an instruction answers for the seat that is asked.

        None if none does: none is on, or it comes to something that is not offered. Then it makes nothing else.
        """
        asked = self.question(state)
        if self.instructing is None or asked is None:
            return None
        seat = asked[1]
        found = instruction_of(state, seat)
        if found is None or found.off is not None:
            return None
        command = self.instructing.following(state, seat, found.orders, self.open(state, seat))
        return None if isinstance(self.admit(state, seat, command), Rejection) else command

    def carry_out(self, state: S, seat: int | None, command: Any, offer: Offer, chance: Chance) -> Decision[S]:
        """What follows from a command that the offer admits: the events up to the next decision."""
        course = Course(state, chance, state.draws)
        if isinstance(command, TimeOut):
            self._time_out(course, offer)
        elif isinstance(command, UseBank):
            clocks.use_bank(course, command, offer)
        elif isinstance(command, GrantTime) and seat is not None:
            clocks.grant_time(course, seat, command, offer, self._turn(state))
        elif isinstance(command, takeback.COMMANDS):
            takeback.CARRIERS[type(command)](course, seat, command, offer)
        elif isinstance(command, instructions.Instructs) and self.instructing is not None and seat is not None:
            instructions.instruct(course, seat, command, self.instructing)
        else:
            self._carry_out(course, seat, command, offer)
        if state.timing.missed:
            self._forgive(course, state)
        if course.state.departures != NO_DEPARTURES:
            self._go_on_without_who_left(course)
        undo = self.turn is not None and state.setup.undo != "no"
        if undo and not isinstance(command, every_table.ASIDE) and course.state.status == "running":
            drawn = course.draws != state.draws
            stands = drawn or isinstance(command, leaving.Resign) or self.stands(course)
            takeback.close_move(course, seat, stands or instructions.were_asked(course, self.instructing))
        return Decision(course.facts, course.state)

    def move_unasked(self, course: Course[S], seat: int, why: Why) -> None:
        """Give the default answers of a seat until the game waits for another, or another turn is played.

        Where it had a choice in one of them, and its time was up, that is a miss.
        """
        turn, before = self._turn(course.state), course.state.timing.missed_by(seat)
        missed = before
        while course.state.phase != "over" and seat in course.state.movers and self._turn(course.state) == turn:
            offers = open_offers(self.offers[course.state.phase](course.state, seat, False))
            if why == "time" and leave_a_choice(offers):
                missed = before + 1
            command = self.default_answer(course.state, seat)
            course.record(MovedUnasked(seat, why, type(command).__name__, missed, turn), RULES[why])
            self._carry_out(course, seat, command, next(offer for offer in offers if offer.admits(command)))

    def _time_out(self, course: Course[S], offer: Offer) -> None:
        """Use up the bank of the seat that is asked, give its default answers, and vacate it after too many misses."""
        (seat,) = course.state.movers
        left = clocks.bank(course.state, seat)
        if left:
            course.record(clocks.BankUsed(seat, left, 0), "table/bank")
        self.move_unasked(course, seat, "time")
        clock = course.state.setup.clock
        if clock is not None and course.state.timing.missed_by(seat) >= clock.misses and course.state.phase != "over":
            leaving.vacate(self, course, seat, "missed", "table/clock")
            self._proceed(course)

    def _forgive(self, course: Course[S], before: S) -> None:
        """Forget what the seat at turn has missed, if its turn is over and it let no time pass in it.

        Nothing less counts: else one trivial answer a turn keeps a seat that stalls.
        """
        seat, turn, timing = self.at_turn(before), self._turn(before), course.state.timing
        if seat not in course.state.taken or course.state.phase == "over" or self._turn(course.state) == turn:
            return
        if timing.missed_by(seat) and timing.in_time(seat, turn):
            course.record(MissesForgiven(seat), "table/clock")

    def _turn(self, state: S) -> int:
        return 0 if self.turn is None else self.turn(state)

    def _carry_out(self, course: Course[S], seat: int | None, command: Any, offer: Offer) -> None:
        """What the game makes of a command."""
        kind = type(command)
        if kind in leaving.CARRIERS:
            leaving.CARRIERS[kind](self, course, seat, command, offer)
        elif kind in every_table.CARRIERS:
            every_table.CARRIERS[kind](course, seat, command, offer)
        elif isinstance(command, AgreeToStart) and seat is not None:
            if starting.agree(course, seat, offer):
                self._carry_out(course, seat, StartGame(), offer)
        else:
            carrier = self.carriers.get(kind) or self.automatic[kind]
            carrier(course, seat, command, offer)
            self.then(course)
        self._proceed(course)

    def _proceed(self, course: Course[S]) -> None:
        """What happens by itself, until nothing more does."""
        before = None
        while before is not course.state and (step := self.steps.get(course.state.phase)) is not None:
            before = course.state
            step(course)

    def _go_on_without_who_left(self, course: Course[S]) -> None:
        """A seat that nobody sits on blocks nobody: the default answers are given for it (`table/vacant`)."""
        while (asked := course.state.to_move) and not set(asked) & set(course.state.taken):
            self.move_unasked(course, asked[0], "vacant")
        leaving.lapse(self, course)

    def besides(self, state: S, seat: int | None) -> tuple[Offer, ...]:
        """What is offered to a seat at any time, whomever the game waits for, blocked offers among it."""
        if state.status != "running" or seat is None or seat not in state.taken:
            return ()
        besides = (
            *leaving.offers_besides(state, seat, self.number(state)),
            *instructions.offers(state, self.instructing),
            *(() if self.beside is None else self.beside(state, seat)),
        )
        if self.turn is None:
            return besides
        return (*besides, *clocks.offers(state, seat, self.turn(state)), *takeback.offers(state, seat, self.turn))

    def number(self, state: S) -> int:
        """The number of the turn that is played, or of the round, where that says more."""
        return self._turn(state) if self.round is None else self.round(state)

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
        by_clock = () if self.turn is None else clocks.offers(state, seat, self.turn(state))
        return (*stated, *by_clock, *leaving.offers_vacant(state))

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
