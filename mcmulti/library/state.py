"""A game at one moment: who is to move, what they may do, and what follows. The terms are those of OpenSpiel."""

from collections.abc import Sequence
from enum import IntEnum
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import Struct

from mcmulti.domain.core.chance import Chance, SeededChance
from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.course.course import Fact
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.offers import Offer, Rejection, admitting
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.library.actions import LegalActions
from mcmulti.library.chance import DrawNeeded, GivenChance
from mcmulti.library.steps import won

if TYPE_CHECKING:
    from mcmulti.library.game import Game
    from mcmulti.library.record import Record


class PlayerId(IntEnum):
    """What `State.current_player` returns if no seat is to move. The numbers are OpenSpiel's."""

    CHANCE = -1
    TERMINAL = -4


class IllegalAction(ValueError):
    """The rules refuse an action, and nothing has changed. `rejection`: the code, the rule, and the limit."""

    def __init__(self, said: str, rejection: Rejection) -> None:
        super().__init__(said)
        self.rejection = rejection


class Happened(Struct, frozen=True, gc=False):
    """What a command led to, and the seat that sent it; no seat sends the opening."""

    seat: int | None
    command: Struct | None
    facts: Sequence[Fact]


class WaitingDraw(NamedTuple):
    """A command that waits for a draw: the seat that sent it, the offer that admits it, the draws so far, and the next
    die.
    """

    seat: int
    command: Struct
    offer: Offer
    given: tuple[int, ...]
    sides: int


Trace = tuple["Trace", Happened] | None
"""The latest step, linked to all before it. Clones share their common steps."""


class State:
    """A game at one moment. `clone`, `child`, and `copy.copy` cost nothing: the position inside is frozen.

    Without a seed, dice and cards are chance nodes: `is_chance_node` is true, and you apply one of `chance_outcomes`.
    With a seed they are drawn as soon as a rule asks for them. Players are seats, numbered from 0.
    """

    __slots__ = ("_chance", "_history", "_offers", "_pending", "game", "provable", "table")

    game: "Game"
    """The rule set."""
    table: Any
    """The position as the rules hold it: frozen. Its fields can change in any version."""
    provable: bool
    """Whether a record of this state can be verified: all its dice come from the seed that the game began with."""

    def __init__(
        self,
        game: "Game",
        table: Any,
        chance: Chance | None = None,
        history: Trace = None,
        pending: WaitingDraw | None = None,
        provable: bool = False,
    ) -> None:
        self.game, self.table, self.provable = game, table, provable
        self._chance, self._history, self._pending = chance, history, pending
        self._offers: tuple[int, tuple[Offer, ...]] | None = None

    @property
    def _rules(self) -> Ruleset[Any]:
        return self.game.ruleset

    # Who is to move

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._rules.status(self.table) == "finished"

    def is_chance_node(self) -> bool:
        """Whether a die or card must be drawn next."""
        return self._pending is not None

    def players_to_move(self) -> tuple[int, ...]:
        """The seats that the game waits for: several if they may answer in any order, none at a chance node."""
        return () if self._pending else self._rules.to_move(self.table)

    def current_player(self) -> int:
        """The first of `players_to_move`. `PlayerId.CHANCE` or `PlayerId.TERMINAL` if there is none."""
        if self._pending is not None:
            return PlayerId.CHANCE
        moving = self._rules.to_move(self.table)
        return moving[0] if moving else PlayerId.TERMINAL

    # What seats may do

    def offers(self, player: int | None = None) -> tuple[Offer, ...]:
        """What the rules offer a seat now, by default the current player. Offers alone decide what is legal. None at a
        chance node.
        """
        if self._pending is not None:
            return ()
        seat = self.current_player() if player is None else self._checked_seat(player)
        if seat < 0:
            return ()
        if self._offers is None or self._offers[0] != seat:
            self._offers = seat, self._rules.offers(self.table, seat)
        return self._offers[1]

    def side_offers(self, player: int) -> tuple[Offer, ...]:
        """What a seat may also do at any time, such as resign. `legal_actions` leaves it out."""
        return () if self._pending else self._rules.besides(self.table, self._checked_seat(player))

    def legal_actions(self, player: int | None = None) -> Sequence[Any]:
        """Every legal action of a seat, by default the current player, made on demand; see `LegalActions`.

        At a chance node, the outcomes as numbers. Of order sheets by post, only those without conditions and with few
        lines.
        """
        if self._pending is not None:
            return range(1, self._pending.sides + 1)
        return LegalActions(self.offers(player), self.game.commands, self._rules.commands.forms)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """At a chance node, every outcome with its probability: 1 to the number of sides, or of cards left."""
        if self._pending is None:
            raise ValueError("this is not a chance node: a seat is to move, or the game is over")
        sides = self._pending.sides
        return [(value, 1 / sides) for value in range(1, sides + 1)]

    # What follows

    def apply_action(self, action: Any, player: int | None = None) -> None:
        """Carry out an action of a seat, by default the current player. At a chance node, apply an outcome.

        Raises `IllegalAction` if no offer admits it, and `TypeError` or `ValueError` if it is not an action at all. In
        both cases nothing has changed.
        """
        if self._pending is not None:
            self._draw(self._pending, action)
            return
        command = self.game.checked(action)
        seat = self.current_player() if player is None else self._checked_seat(player)
        if seat < 0:
            raise ValueError("the game is over")
        known = self._offers[1] if self._offers is not None and self._offers[0] == seat else ()
        offer = admitting(known, command) or self._rules.admit(self.table, seat, command)
        if isinstance(offer, Rejection):
            raise IllegalAction(self._rules.texts.tell_refusal(offer, "en"), offer)
        self.carry_out(seat, command, offer)

    def carry_out(self, seat: int, command: Struct, offer: Offer) -> None:
        """Carry out a command that this offer of the current position admits. The command is not checked again."""
        self._carry_out(seat, command, offer, ())

    def child(self, action: Any, player: int | None = None) -> "State":
        """The state after an action; this state does not change. Raises like `apply_action`."""
        after = self.clone()
        after.apply_action(action, player)
        return after

    def clone(self) -> "State":
        """Another state in the same position, with the same future dice."""
        found = State(self.game, self.table, self._chance, self._history, self._pending, self.provable)
        found._offers = self._offers
        return found

    def redraw(self, seed: int | bytes | None) -> "State":
        """A clone with other future dice: from this seed, or explicit chance nodes if None.

        Use the same seed for several actions to compare them under the same luck. A record of such a state cannot be
        verified.
        """
        chance = None if seed is None else SeededChance(secret(seed), self.table.game_id)
        found = State(self.game, self.table, chance, self._history)
        if self._pending is not None:
            seat, command, offer, given, _ = self._pending
            found._carry_out(seat, command, offer, given)
        return found

    def go_through(self, steps: Sequence[Happened], table: Any) -> None:
        """Go on to the position after these steps, which were decided elsewhere by the same rules and dice."""
        for step in steps:
            self._history = (self._history, step)
        self.table, self._offers = table, None

    def _carry_out(self, seat: int, command: Struct, offer: Offer, given: tuple[int, ...]) -> None:
        chance = GivenChance(given, self._chance) if given or self._chance is None else self._chance
        try:
            decision = self.game.ruleset.carry_out(self.table, seat, command, offer, chance)
        except DrawNeeded as needed:
            self._pending = WaitingDraw(seat, command, offer, given, needed.sides)
            return
        self._pending = None
        self._history = (self._history, Happened(seat, command, decision.facts))
        self.table, self._offers = decision.state, None

    def _draw(self, pending: WaitingDraw, outcome: Any) -> None:
        if type(outcome) is not int:
            raise TypeError(f"this is a chance node: apply a number from 1 to {pending.sides}, not {outcome!r}")
        if not 1 <= outcome <= pending.sides:
            raise ValueError(f"the outcomes are 1 to {pending.sides}: {outcome} is not one of them")
        self._carry_out(pending.seat, pending.command, pending.offer, (*pending.given, outcome))

    def _checked_seat(self, player: int) -> int:
        if player not in range(self.game.num_players()):
            raise ValueError(f"there is no player {player}: they are 0 to {self.game.num_players() - 1}")
        return player

    # Results, and what each seat sees

    def winners(self) -> tuple[int, ...]:
        """The seats that won. Empty before the game is over, and if nobody won."""
        return self._rules.outcome(self.table).winners

    def returns(self) -> list[float]:
        """Returns by seat: 1 shared among the winners, -1 shared among all others. Zeros before the end, or
        if all won.
        """
        return won(self.winners(), self.game.num_players())

    def observation(self, player: int | None = None) -> Struct:
        """The `view` that the server sends to a seat, or to a spectator if None. At a chance node, the view
        before it.
        """
        return self._rules.view(self.table, None if player is None else self._checked_seat(player))

    def observation_string(self, player: int | None = None) -> str:
        """`observation` as JSON."""
        return msgspec.json.encode(self.observation(player)).decode()

    def information_state(self, player: int) -> list[dict[str, Any]]:
        """Everything that a seat has seen: every event since the opening, without its sealed data.

        `actor` is the seat that sent the command behind an event. It is None if no seat did, or if the seat is secret.
        """
        seat = self._checked_seat(player)
        redactions = {redaction.type: redaction for redaction in self._rules.redactions}
        found: list[dict[str, Any]] = []
        for step in self.happened():
            secret = isinstance(step.command, Command) and step.command.secret
            actor = None if secret else step.seat
            for fact in step.facts:
                kind = type(fact.event).__name__
                redaction = redactions.get(kind)
                hidden = redaction is not None and redaction.sealed(self.table, fact.event, seat)
                event = {"type": kind} if hidden else msgspec.to_builtins(fact.event)
                found.append({"actor": actor, "rule": fact.rule, "event": event})
        return found

    def information_state_string(self, player: int) -> str:
        """`information_state` as JSON."""
        return msgspec.json.encode(self.information_state(player)).decode()

    def happened(self) -> list[Happened]:
        """What happened since the opening, step by step. For a state read without its history, since it was read."""
        found = []
        history = self._history
        while history is not None:
            history, step = history
            found.append(step)
        return found[::-1]

    def events(self) -> list[Event]:
        """Every event since the opening, including secrets."""
        return [fact.event for step in self.happened() for fact in step.facts]

    # Saving

    def position(self) -> dict[str, Any]:
        """What is on the table, as a document that can be written as JSON and opened with `open_position`.

        It holds all that the rules know, including secrets, but no players, dice, clocks, or votes. Raises `ValueError`
        at a chance node, after the end, and if a player left.
        """
        from mcmulti.library.positions import position_of

        return position_of(self, drawing=self._pending is not None)

    def serialize(self, *, history: bool = True) -> bytes:
        """The state as bytes for `Game.deserialize_state`. Without `history` they are much smaller."""
        from mcmulti.library.saving import saved

        return saved(self, self._chance, self._pending, self.happened() if history else [])

    def record(self) -> "Record":
        """The game so far as a record, which can be saved and verified.

        Raises ValueError if the state was not played from its opening with one seed.
        """
        from mcmulti.library.record import Record, recorded_game

        if not self.provable:
            raise ValueError("only a game that was played from its opening with one seed, and read whole, has a record")
        return Record(recorded_game(self.happened(), self.table))

    def __copy__(self) -> "State":
        return self.clone()

    def __deepcopy__(self, memo: object) -> "State":
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        from mcmulti.library.saving import restored

        return restored, (self.serialize(),)

    def __repr__(self) -> str:
        return f"<State of {self.game.name}, current_player={int(self.current_player())}>"


def secret(seed: int | bytes) -> bytes:
    """The 32 bytes that the dice follow from: these bytes, or those derived from an integer from 0."""
    if isinstance(seed, bytes) and len(seed) == 32:
        return seed
    if type(seed) is not int or seed < 0:
        raise ValueError("a seed is a number from 0, or 32 bytes")
    return Random(seed).randbytes(32)
