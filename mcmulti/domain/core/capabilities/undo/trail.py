"""The states of a game after its latest moves, and the events that build this trail and lead back along it."""

from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from msgspec import Meta, Struct, convert
from msgspec.structs import replace

from mcmulti.domain.core.capabilities.capability import Slot
from mcmulti.domain.core.course.posting import Transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Seat
from mcmulti.domain.core.table import Table, slots_of

T = TypeVar("T", bound=Table)

DEPTH = 32
"""The most moves that can be taken back."""

_KEPT = ("called", "everybody", "salts")
"""Fields that no move changes and no undo restores, in addition to slots that stay."""

Moves = Annotated[int, Meta(ge=1, le=DEPTH, description="How many moves, latest first.")]


class Mark(Struct, frozen=True, gc=False):
    """The game after a completed move: the state, without its own marks, whose move it was, and the transfers in the
    books if it is taken back.
    """

    state: Any
    seat: int | None
    returns: tuple[Transfer, ...]


class Appeal(Struct, frozen=True, gc=False):
    """A seat's request to take back a number of moves, and the seats that have not answered yet."""

    seat: int
    moves: int
    waiting: tuple[int, ...]


class Undoing(Slot, frozen=True, gc=False):
    """What can be taken back.

    `trail`: the states after the latest moves, as far as they can be taken back, and the one before them. `appeal`: the
    pending request. `denied`: the seats whose requests were refused since the last move. `wary`: the seats that have
    not moved since an undo. `taker`: the seat that took moves back last. `times`: how often it did, since another seat
    moved or something was drawn.
    """

    stays: ClassVar[bool] = False

    trail: tuple[Mark, ...] = ()
    appeal: Appeal | None = None
    denied: tuple[int, ...] = ()
    wary: tuple[int, ...] = ()
    taker: int | None = None
    times: int = 0

    def restored(self, state_type: type[Any]) -> "Undoing":
        """The slot with states in its trail, whose type it does not name. Raises ValueError."""
        marks = tuple(replace(mark, state=convert(mark.state, state_type)) for mark in self.trail)
        return replace(self, trail=marks)


NOTHING_TO_UNDO = Undoing()


def undoing_of(state: Any) -> Undoing:
    """What can be taken back; empty in games without undo."""
    undoing: Undoing = getattr(state, "undoing", NOTHING_TO_UNDO)
    return undoing


class MoveClosed(Event, frozen=True):
    """A move is complete. `returns`: the transfers in the books if it is taken back.

    `final`: neither this move nor anything before it can be taken back, because something was drawn, or the game
    advanced by itself.
    """

    quiet: ClassVar[bool] = True

    seat: Seat | None
    final: bool
    returns: tuple[Transfer, ...]

    def evolve(self, state: T) -> T:
        before = undoing_of(state)
        wary = tuple(seat for seat in before.wary if seat != self.seat)
        bare: T = replace(state, undoing=Undoing(wary=wary))
        base = () if self.final else before.trail[-DEPTH:]
        taker, times = (None, 0) if self.final or self.seat != before.taker else (before.taker, before.times)
        trail = (*base, Mark(bare, self.seat, self.returns))
        return replace(bare, undoing=Undoing(trail, wary=wary, taker=taker, times=times))

    def form(self, say: object) -> Literal["mine", "nobodys"]:
        return "nobodys" if self.seat is None else "mine"


class MovesTakenBack(Event, frozen=True):
    """The latest moves were taken back: the game is where it was before them. `returned`: the transfers in
    the books.
    """

    seat: Seat
    moves: Moves
    returned: tuple[Transfer, ...]

    def evolve(self, state: T) -> T:
        undoing = undoing_of(state)
        trail, times = undoing.trail[: -self.moves], undoing.times + 1 if undoing.taker == self.seat else 1
        wary = tuple(seat for seat, player in enumerate(state.player_ids) if player is not None and seat != self.seat)
        before: T = trail[-1].state
        stays = (*_KEPT, *(name for name, kind in slots_of(type(state)) if kind.stays))
        kept = {name: getattr(state, name) for name in stays}
        return replace(before, undoing=Undoing(trail, wary=wary, taker=self.seat, times=times), **kept)

    def transfers(self) -> tuple[Transfer, ...]:
        return self.returned

    def form(self, say: object) -> Literal["one", "several"]:
        return "one" if self.moves == 1 else "several"


class TakeBackAsked(Event, frozen=True):
    """A player asked the others to take the latest moves back."""

    seat: Seat
    moves: Moves

    def evolve(self, state: T) -> T:
        others = tuple(seat for seat, player in enumerate(state.player_ids) if player and seat != self.seat)
        return replace(state, undoing=replace(undoing_of(state), appeal=Appeal(self.seat, self.moves, others)))

    def form(self, say: object) -> Literal["one", "several"]:
        return "one" if self.moves == 1 else "several"


class TakeBackAnswered(Event, frozen=True):
    """A player allowed or refused the request to take moves back. `accepted`: whether it was allowed."""

    seat: Seat
    accepted: bool

    def evolve(self, state: T) -> T:
        before = undoing_of(state)
        asked = before.appeal
        if asked is None:
            raise ValueError("nobody asked to take moves back")
        if not self.accepted:
            return replace(state, undoing=replace(before, appeal=None, denied=(*before.denied, asked.seat)))
        appeal = replace(asked, waiting=tuple(seat for seat in asked.waiting if seat != self.seat))
        return replace(state, undoing=replace(before, appeal=appeal))

    def form(self, say: object) -> Literal["yes", "no"]:
        return "yes" if self.accepted else "no"


class Aftermath:
    """What happened to the moves of a request, read from its events and those after them, page by page.

    `undone` is None while they can still be taken back.
    """

    def __init__(self, events: Iterable[Event]) -> None:
        self._later = 0
        standing = 0
        for event in events:
            if isinstance(event, MovesTakenBack):
                standing = max(standing - event.moves, 0)
            elif isinstance(event, MoveClosed):
                standing = 0 if event.final else standing + 1
        self.undone: bool | None = None if standing else False

    def read(self, events: Iterable[Event]) -> None:
        """Read the events that came next."""
        for event in events:
            if self.undone is not None:
                return
            if isinstance(event, MovesTakenBack):
                self._later -= event.moves
                if self._later < 0:
                    self.undone = True
            elif isinstance(event, MoveClosed):
                if event.final or self._later + 1 == DEPTH:
                    self.undone = False
                else:
                    self._later += 1
