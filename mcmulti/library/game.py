"""A rule set with a setup, from which states are made."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec
from msgspec import Struct

from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.commands import StartGame
from mcmulti.domain.core.course.positions import Origin
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.table import presented
from mcmulti.library.chance import DrawNeeded, GivenChance
from mcmulti.library.state import Happened, State, Trace, WaitingDraw, secret
from mcmulti.library.steps import Sitter, game_numbered, named, set_up, strangers


class Game:
    """A rule set with a setup. Make one with `load_game`."""

    def __init__(self, ruleset: Ruleset[Any], setup: Any) -> None:
        self.ruleset, self.setup = ruleset, setup

    @property
    def name(self) -> str:
        """The name of the rule set."""
        return self.ruleset.name

    @property
    def version(self) -> int:
        """The version of the rule set that folds a recorded game."""
        return self.ruleset.version

    @cached_property
    def commands(self) -> dict[str, type[Struct]]:
        """The commands that seats can send, by name."""
        return {command.__name__: command for command in self.ruleset.commands.moves}

    @cached_property
    def _moves(self) -> frozenset[type[Struct]]:
        return frozenset(self.ruleset.commands.moves)

    @cached_property
    def _seats(self) -> int:
        opening = next(set_up(self.ruleset, self.setup, str(game_numbered(0)), GivenChance()))
        return len(self.ruleset.players(opening.state))

    def num_players(self) -> int:
        """The number of seats."""
        return self._seats

    def action(self, command: str, /, **fields: Any) -> Struct:
        """Make an action from the name of its command and its fields, as in the API. Raises `ValueError`."""
        if command not in self.commands:
            raise ValueError(f"{self.name} has no command {command!r}: {', '.join(sorted(self.commands))}")
        try:
            return msgspec.convert(fields, self.commands[command])
        except msgspec.ValidationError as error:
            raise ValueError(f"{command}: {error}") from None

    def checked(self, action: Any) -> Struct:
        """Convert the fields of an action to their declared types. Raises `TypeError` and `ValueError`."""
        kind = type(action)
        if kind not in self._moves:
            raise TypeError(
                f"{action!r} is not an action of {self.name}: take one of legal_actions(), or game.action()"
            )
        try:
            return msgspec.convert(msgspec.to_builtins(action), kind)
        except (msgspec.ValidationError, TypeError) as error:
            raise ValueError(f"{kind.__name__}: {error}") from None

    def new_initial_state(self, seed: int | bytes | None = None, names: Sequence[str] = ()) -> State:
        """A game that has just begun, with a player on every seat.

        `seed`: an integer from 0, or 32 bytes; the same seed and the same actions give the same game. Without a seed,
        dice and cards are explicit chance nodes. `names`: the players' names, by seat; default Seat 1 and so on. Raises
        `ValueError` for a bad seed, and if the number of names is not the number of seats.
        """
        if names and len(names) != self.num_players():
            raise ValueError(f"{len(names)} names for {self.num_players()} players")
        chance = None
        game_id = str(game_numbered(0))
        if seed is not None:
            secret_bytes = secret(seed)
            number = seed if isinstance(seed, int) else int.from_bytes(seed[:6])
            game_id = str(game_numbered(number % 16**12))
            chance = SeededChance(secret_bytes, game_id)
        return opened(self, game_id, chance, named(names) if names else strangers(self.num_players()))

    def deserialize_state(self, data: bytes) -> State:
        """Read a state that `State.serialize` wrote. Raises `ValueError` for other bytes, and for states of other
        games.
        """
        from mcmulti.library.saving import restored

        state = restored(data)
        if (state.game.name, state.game.setup) != (self.name, self.setup):
            raise ValueError(f"this is a state of {state.game}, not of {self}")
        return state

    def __repr__(self) -> str:
        return f"<Game {self.name}, {self.setup}>"


def registered_games() -> tuple[str, ...]:
    """The names that `load_game` accepts."""
    from mcmulti.domain.rulesets import CURRENT

    return tuple(CURRENT)


def action_of(game: Game, command: Mapping[str, Any]) -> Struct:
    """The action that a command describes, in JSON as the API takes it. Raises `ValueError`."""
    return game.action(command["type"], **{name: value for name, value in command.items() if name != "type"})


def load_game(name: str, /, **setup: Any) -> Game:
    """Load a rule set by its name, with a setup as in the API, for example ``load_game("marracash", seats=3)``.

    Raises `ValueError` for an unknown name, and for a setup that the rules refuse; the error names the field.
    """
    from mcmulti.domain.rulesets import CURRENT

    if name not in CURRENT:
        raise ValueError(f"there is no game {name!r}: {', '.join(CURRENT)}")
    ruleset = CURRENT[name]
    try:
        converted = msgspec.convert(setup, ruleset.setup)
    except msgspec.ValidationError as error:
        raise ValueError(f"{name} cannot be set up like this: {error}") from None
    game = Game(ruleset, converted)
    game.num_players()
    return game


def opened(
    game: Game, game_id: str, chance: SeededChance | None, sitters: Sequence[Sitter], origin: Origin | None = None
) -> State:
    """A game with this id that has just begun, with `sitters` on its seats, from an `origin` if there is one.

    Raises `ValueError`.
    """
    history: Trace = None
    table: Any = None
    pending = None
    given = GivenChance() if chance is None else chance
    try:
        for step in set_up(game.ruleset, game.setup, game_id, given, sitters=sitters, origin=origin):
            seat = getattr(step.command, "seat", step.seat)  # when a player sits down, the actor is that player
            history, table = (history, Happened(seat, step.command, step.facts)), step.state
    except DrawNeeded as needed:
        start = StartGame()
        offer = game.ruleset.admit(table, 0, start)
        pending = WaitingDraw(0, start, offer, (), needed.sides)  # type: ignore[arg-type]  # it was decided just now
    shown = presented(table, {str(sitter.player): sitter.name for sitter in sitters})
    return State(game, shown, chance, history, pending, provable=chance is not None)
