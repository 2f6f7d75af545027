"""Where a game stands, as it follows from its state alone, and what a capability adds when it goes on."""

from typing import TYPE_CHECKING, Any, NamedTuple

from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.course.pace import Pace
from mcmulti.domain.core.course.tenure import TenureChange

if TYPE_CHECKING:
    from mcmulti.domain.core.ruleset import Ruleset
    from mcmulti.domain.core.table import Status


class Standing(NamedTuple):
    """What is asked of a state again and again, worked out once: see `Terms.standing`.

    `players`: who sits where, by seat. `to_move`: the seats that the game waits for, in turn `turn`. `pace`: how long
    it waits, None as long as it takes. `banks`: the seconds that each seat has besides, by seat. `question`: the turn,
    and the seat that is asked in it though it is another's, and answers at a moment of its own; None if none does.
    `wary`: the seats that have to say which position they decide on, because the game was led back since they moved.
    `seq`: the number of its last event, 0 where that is not known.
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
    """How the deadline of a game changes: it is so many seconds `after` the last event, or `longer` by so many than it
    was; if neither is said, there is none any more.
    """

    after: int | None = None
    longer: int = 0


class Reaction(NamedTuple):
    """What the server notes besides the events that led from one standing to another.

    `due`: how the deadline changes, None if it does not. `tenures`: what changes in who plays, and what came of it.
    `follows`: the command that the server sends of itself at once, None if it sends none.
    """

    due: Due | None = None
    tenures: tuple[TenureChange, ...] = ()
    follows: Command | None = None


NOTHING = Reaction()
