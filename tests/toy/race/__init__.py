"""A dice race for two to four: walk two spaces, or throw the die for as many as it shows; a one leads back."""

from typing import Annotated, Literal, Self

from msgspec import Meta
from msgspec.structs import replace

from mcmulti.domain.core.chance import Draw
from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.course.course import Course
from mcmulti.domain.core.course.posting import Transfer, transfer
from mcmulti.domain.core.event import Event, Opened
from mcmulti.domain.core.figures import BySeat, Count, Seat
from mcmulti.domain.core.in_turn import SetupInTurn
from mcmulti.domain.core.offers import Offer, plain
from mcmulti.domain.core.ruleset import Books
from mcmulti.domain.core.shown.gauges import everybody_has
from mcmulti.domain.core.shown.view import ViewInTurns
from mcmulti.domain.core.tuples import put
from mcmulti.domain.core.turns import TurnTable, in_turns


class Setup(SetupInTurn, frozen=True, gc=False, forbid_unknown_fields=True):
    """How a race is set up. `seats`: how many run (`race/runners`). `goal`: how many spaces (`race/goal`)."""

    seats: Annotated[int, Meta(ge=2, le=4)] = 2
    goal: Annotated[int, Meta(ge=5, le=100)] = 20


class Race(TurnTable, frozen=True, kw_only=True):
    """A race at one moment. `at`: on which space each runner is, by seat."""

    setup: Setup
    at: tuple[int, ...] = ()

    def begun(self, players: int) -> Self:
        return replace(self, phase="racing", at=(0,) * players)


class RaceOpened(Opened[Setup], frozen=True):
    """A race was called."""

    def evolve(self, state: None) -> Race:
        return self.table(Race)


class RunnerMoved(Event, frozen=True):
    """A runner went from space `source` to space `target`. `die`: what it threw, null if it walked."""

    seat: Seat
    source: Count
    target: Count
    die: Draw | None

    def evolve(self, state: Race) -> Race:
        return replace(state.next_turn(self.die), at=put(state.at, self.seat, self.target))

    def transfers(self) -> tuple[Transfer, ...]:
        return transfer("road", f"seat:{self.seat}:spaces", "spaces", self.target - self.source, "move")

    def form(self, say: object) -> Literal["walked", "thrown"]:
        return "walked" if self.die is None else "thrown"


class Walk(Command, frozen=True):
    """Walk two spaces (`race/walk`)."""


class Throw(Command, frozen=True):
    """Throw the die (`race/throw`)."""


class RaceView(ViewInTurns[Setup], frozen=True, tag="dice_race", tag_field="ruleset"):
    """A race as anybody sees it. `at`: on which space each runner is, by seat."""

    at: BySeat[Count]


def move(play: Course[Race], seat: int, command: Walk | Throw, offer: Offer) -> None:
    at, die = play.state.at[seat], play.draw() if isinstance(command, Throw) else None
    target = at + 2 if die is None else 0 if die.value == 1 else at + die.value
    play.record(RunnerMoved(seat, at, target, die), offer.rule)


RULESET = in_turns(
    __name__,
    name="dice_race",
    state=Race,
    view=RaceView,
    moves={Walk: move, Throw: move},
    offers={"racing": lambda state, seat, complete: (plain("Walk", "race/walk"), plain("Throw", "race/throw"))},
    defaults={"racing": lambda state, seat: Walk()},
    over=lambda state: max(state.at) >= state.setup.goal,
    turns="race/turn",
    ends="race/goal",
    books=Books(money="spaces", gauges=lambda state: everybody_has("spaces", state.at)),
)
