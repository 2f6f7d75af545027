"""The standing of a game, which follows from its state alone, and what a capability adds when it changes."""

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.figures import Count

if TYPE_CHECKING:
    from mcmulti.domain.core.ruleset import Ruleset
    from mcmulti.domain.core.table import Status


GameResult = Literal["won", "shared", "lost", "left", "off"]
"""The result of a game for a player: ``shared`` is won with others, ``off`` is called off."""


class TenureChange(Struct, frozen=True):
    """A change in who plays a game.

    `against`: who else has played it by then. `began`: the index of the event, from 0, that started the game for the
    player, or brought the player in as a `substitute`; None for an earlier start. `result`: None while the player sits
    at a running game. `missed`: how many deadlines the player missed. `resigned` and `vacated`: how often the player
    left, by choice or for too many misses.
    """

    player: str
    against: tuple[str, ...] = ()
    began: int | None = None
    substitute: bool = False
    result: GameResult | None = None
    missed: int = 0
    resigned: int = 0
    vacated: int = 0

    def then(self, later: "TenureChange") -> "TenureChange":
        """The combination of this change and a later one."""
        return replace(
            later,
            began=later.began if self.began is None else self.began,
            substitute=self.substitute or later.substitute,
            missed=self.missed + later.missed,
            resigned=self.resigned + later.resigned,
            vacated=self.vacated + later.vacated,
        )


class Pace(Struct, frozen=True):
    """How long a game waits, counted from the start of the `stretch`, a key that differs between stretches.

    A player who has sent nothing after `late_after` seconds is late. After `closes_after` seconds the game goes on
    without. `granted`: extra seconds granted so far. If this grows within a stretch, the deadline moves by as much.
    """

    stretch: tuple[int, ...]
    late_after: Count
    closes_after: Count
    granted: Count = 0


class Standing(NamedTuple):
    """Frequently used properties of a state, computed once: see `Terms.standing`.

    `players`: who sits where, by seat. `to_move`: the seats that the game waits for, in turn `turn`. `pace`: how long
    it waits, None if there is no limit. `banks`: the seconds left in each seat's bank, by seat. `question`: the turn,
    and the seat that is asked in another's turn and answers at its own moment; None if no seat is. `wary`: the seats
    that must say which position they decide on, because moves were taken back since they moved. `seq`: the number of
    the last event, 0 if that is not known.
    """

    ruleset: "Ruleset[Any]"
    state: Any
    status: "Status"
    players: tuple[str | None, ...]
    to_move: tuple[int, ...]
    turn: int
    pace: Pace | None
    banks: tuple[int, ...]
    question: tuple[int, int] | None
    wary: tuple[int, ...]
    seq: int


class Due(NamedTuple):
    """How the deadline of a game changes: it is N seconds `after` the last event, or moves N seconds `longer`. If
    neither is given, it is removed.
    """

    after: int | None = None
    longer: int = 0


class Reaction(NamedTuple):
    """What the server adds to the events that led from one standing to another.

    `due`: how the deadline changes, None if it does not. `tenures`: changes in who plays, and results. `follows`: the
    command that the server sends of itself at once, None if it sends none.
    """

    due: Due | None = None
    tenures: tuple[TenureChange, ...] = ()
    follows: Command | None = None


NOTHING = Reaction()
