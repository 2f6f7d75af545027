"""What a rule set is: a value with pure functions. The engine above knows nothing else about a game."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct

from mcmulti.domain.core.chance import Chance
from mcmulti.domain.core.course import Fact
from mcmulti.domain.core.gauges import Gauges
from mcmulti.domain.core.luck import Die, Luck
from mcmulti.domain.core.offers import Limit, Offer, Rejection
from mcmulti.domain.core.outcome import Outcome
from mcmulti.domain.core.picture import Picture
from mcmulti.domain.core.posting import Transfer
from mcmulti.domain.core.rounds import Pace, Past, Remark, RoundReport
from mcmulti.domain.core.telling import Language, Words

S = TypeVar("S")


class Decision(Struct, Generic[S], frozen=True, gc=False):
    """What follows from a command: the facts, and the state after them."""

    facts: Sequence[Fact]
    state: S


class Ruleset(Struct, Generic[S], frozen=True, kw_only=True):
    """A game's rules. `(name, version)` stands in the first event and decides for ever what folds the log.

    `seat` is None for somebody who has no seat. Every function is pure: chance is an argument.
    """

    name: str
    version: int
    title: str
    setup: type[Struct]
    """What a game is created with; decoded strictly from the request."""
    moves: tuple[type[Struct], ...]
    """The commands that seats send, tagged by their names."""
    joining: type[Struct]
    """The command the server makes when somebody sits down: player, name, seat, entropy."""
    starting: type[Struct]
    """The move, without fields, that starts the game when the table is ready."""
    automatic: tuple[type[Struct], ...]
    """The commands that the server sends of itself, with no seat."""
    events: tuple[type[Struct], ...]
    """Every event there is, tagged by its name.

    The first has the `commitment` to the seed of the dice; `SeedRevealed` has the `seed`, in the end.
    """
    view_type: type[Struct]
    """What `view` returns."""
    state_type: type[S]
    """What `evolve` returns."""
    unions: Mapping[str, tuple[str, tuple[type[Struct], ...]]]
    """Unions of types in commands that have names of their own: what they are, and their members."""
    components: Mapping[str, Any]
    """Cards, markets and figures with their provenance, as published."""
    rules: Mapping[Language, Mapping[str, str]]
    """The text of every rule, by language and id."""
    words: Words
    """What people call what the rule set has names for, reasons of transfers among it."""
    limits: Mapping[str, Limit]
    """Every code a rejection can have, with its rule and its sentence."""

    open: Callable[[str, Any, Chance], Decision[S] | Rejection]
    """From a game id and a setup to the first event."""
    offers: Callable[[S, int | None], tuple[Offer, ...]]
    admit: Callable[[S, int | None, Any], Offer | Rejection]
    """The offer that makes a command legal, or why none does. It has no chance: a refusal cannot tell the dice."""
    carry_out: Callable[[S, int | None, Any, Offer, Chance], Decision[S]]
    """What follows from a command that this offer admitted. It cannot refuse: what was drawn is kept."""
    evolve: Callable[[S | None, Any], S]
    view: Callable[[S, int | None], Struct]
    transfers: Callable[[Any], tuple[Transfer, ...]]
    """What an event moves in the books."""
    tell: Callable[[S | None, Any, Language], str]
    """What happened, in a sentence; from the state before the event."""
    turn: Callable[[S], int]
    """The number of the turn that is played, from 1; 0 before the first."""
    gauges: Callable[[S], Gauges]
    periods: tuple[str, ...]
    """What `Gauges.period` may be, from the worst times to the best."""
    picture: Callable[[S, Language], Picture]
    luck: Callable[[S, Any], tuple[Luck, ...]]
    """How lucky a roll was; from the state before the event. Empty for what is no production roll."""
    dice: Callable[[Any], tuple[Die, ...]]
    """The dice that an event threw; cards that were drawn are none."""
    outcome: Callable[[S], Outcome]
    """Who plays, and who won."""
    sealed: Callable[[S, Any, int | None], bool] | None
    """Whether what an event of the past says must not be shown to a seat yet; from the present state.

    None where everybody may know everything.
    """
    stand_in: Callable[[Sequence[str], int], Any] | None
    """What who may not see an event folds in its place: from the types of all events up to it, and whose it is.

    None instead if nothing of that type is ever sealed; None where nothing is sealed at all.
    """
    pace: Callable[[S], Pace | None]
    """How long the game waits now; None as long as it takes."""
    timeout: Callable[[S], Struct] | None
    """The command, one of `automatic`, that the server sends when the pace is up; None where there is no pace."""
    late: Limit | None
    """Why what a seat sends when the pace is up is refused; None where there is no pace. The server knows the time."""
    orders: type[Struct] | None
    """What seats write their orders for a round in; None where there are no orders."""
    forecast: Callable[[S, int, Any], Decision[S] | Rejection] | None
    """What a seat's orders would lead to if they were carried out now, before any dice; None without orders."""
    check: Callable[[S, int, Any, Language], tuple[Remark, ...]] | None
    """What looks like a mistake in a seat's orders; None without orders."""
    round: Callable[[S], int] | None
    """The number of the round that is played, from 1, 0 before the first; None for a game without rounds."""
    report: Callable[[S, Sequence[Past], Language], RoundReport] | None
    """A round in a referee's words: from the state before it and its events. None for a game without rounds."""
    setup_of: Callable[[S], Struct]
    """What the game was created with."""
    to_move: Callable[[S], tuple[int, ...]]
    """The seats the game waits for."""
    players: Callable[[S], tuple[str | None, ...]]
    """Who sits where, by seat: player ids."""
    leanings: Mapping[str, int]
    """How likely a random player makes a move, by its name, in hundredths of how likely it makes others."""
    status: Callable[[S], str]
    """``open``, ``running`` or ``finished``."""

    def decide(self, state: S, seat: int | None, command: Any, chance: Chance) -> Decision[S] | Rejection:
        """What follows from a command: the events up to the next decision; or why it is refused."""
        offer = self.admit(state, seat, command)
        return offer if isinstance(offer, Rejection) else self.carry_out(state, seat, command, offer, chance)
