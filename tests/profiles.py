"""What tests know about a game beside its rules: its `Profile`, next to its own tests.

A game of this package can have a module ``tests/pure/<game>/profile.py`` with its `PROFILE`. Every field has a default
that fits a simple game in turns, so a game only says what is special about it. Golden games of its own are in
``tests/pure/<game>/golden.py``: see `tests.golden.record`.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from random import Random
from types import MappingProxyType, ModuleType
from typing import Any, NamedTuple

from msgspec import Struct

from mcmulti.bots import strategy as bots
from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.offers import Offer
from mcmulti.library.steps import Step
from mcmulti.simulation import fill_in

Fill = Callable[[Random, Offer, type[Struct]], Struct]
"""What makes a command of an offer."""


class ShortGame(NamedTuple):
    """The number of players, their strategies, and the number that determines the dice and the id of the game.

    `ending`: the module whose ``STANDSTILL`` is shortened, if the game ends by a standstill.
    """

    ruleset: str
    seats: int
    play: bots.Strategy
    number: int
    ending: ModuleType | None = None

    @property
    def id(self) -> str:
        """The id of the game, which also determines the dice."""
        return f"00000000-0000-4000-8000-{self.number:012x}"

    @property
    def secret(self) -> bytes:
        """The seed of its dice."""
        return Random(self.number).randbytes(32)


class LongGame(NamedTuple):
    """The number of players of a game, its strategy, the seed that makes it long, and its last turn for seat 0."""

    seats: int
    strategy: str = "random"
    seed: int = 2
    last: int = 50


class AgainstTheComputer(NamedTuple):
    """A whole game on the pages: the title of the bots' level, the size of the window, and how the visitor plays."""

    level: str
    size: str
    game: ShortGame


class Scene(NamedTuple):
    """A moment of a golden game for the examples of the contract.

    Before the `nth` event of this type. `refused` is a command that is refused then. `components`, `rules`, and `codes`
    are the ones of which the examples show some.
    """

    game: str
    event: str
    nth: int
    refused: Command
    components: tuple[str, ...]
    rules: tuple[str, ...]
    codes: tuple[str, ...]


class WrongPosition(NamedTuple):
    """A position in which the value at `path` is impossible, and how that is refused."""

    path: str
    value: Any
    field: str
    reason: str


class Calibrated(NamedTuple):
    """Games that the calibration of winning chances plays: see `benchmarks.calibration`."""

    seats: int
    games: int
    positions: int = 3
    rollouts: int = 8


class Disturbed(NamedTuple):
    """A table whose players go on while servers and networks fail.

    `idle`: they make no moves, and the server makes them when their time runs out.
    """

    setup: Mapping[str, Any]
    idle: bool = False


OIL_WORDS = frozenset({r"[Bb]arrels?|[Cc]rude|Gasoline|Site|Refinery"})
"""Words in the contract that both oil games have."""
HASTE: Mapping[str, Any] = {"move_seconds": 5, "bank_seconds": 2, "misses": 100}
"""A clock that often runs out while a test looks on."""


class Profile(Struct, frozen=True, kw_only=True):
    """What tests know about a game."""

    # The rules
    written: str = ""
    """The ids of the rules, typed by hand before the code was written."""
    order: str = ""
    """The groups of the rules in the order of a turn."""
    options: frozenset[str] = frozenset({"clock", "undo"})
    """What a table can agree on, among what not every game has: clock, undo, and instructions."""
    refused: tuple[tuple[Mapping[str, Any], str, str], ...] = (
        ({"if_left": "bot"}, "house_needs_clock", "if_left"),
        ({"if_left": "sold"}, "not_sold", "if_left"),
    )
    """Setups that the game cannot honor, with the code and the field of the refusal."""
    readings: frozenset[str] = frozenset()
    """Fields of the setup with which a table chooses how a disputed rule is read."""
    setups: tuple[Mapping[str, Any], ...] = ()
    """Setups to test in addition to the default one."""
    sold: bool = False
    """Whether the holdings of a player who leaves can be sold."""

    tables: tuple[Mapping[str, Any], ...] = ({},)
    """Setups of tables for random campaigns, some of which may not be opened."""
    disturbed: tuple[Disturbed, ...] = (Disturbed({"undo": "own"}),)
    """Tables that are played while servers and networks fail."""
    phrase: str = "agree to "
    """The beginning of a move in words, whose completions depend on the game."""
    words: frozenset[str] = frozenset()
    """Patterns of words in the contract that only this game has, and others that list the same pattern."""

    # Random games
    fill: Fill = fill_in
    """What makes a random command of an offer."""
    random: Callable[[int], Iterator[Step]] | None = None
    """A random game from its seed, if it is not played like all others."""
    whole: int = 7
    """The seed of a whole random game for the schemas of the contract."""
    shortest: int = 15
    """No game ends with this many events or fewer."""
    early: int = 0
    """Random actions after which a game is still running."""
    middle: int = 4
    """Random actions after which a game is about halfway through."""
    commands: int = 3
    """More than this many different commands are offered in a few random games."""

    # What is shown
    picked: frozenset[str] = frozenset({"seat"})
    """The fields of commands whose values are picked on a board."""
    places: str | None = None
    """The command that is offered while places can be picked on a board, empty for any, None without places."""
    charts: tuple[str, ...] | None = None
    """The charts of a game, if they are known by hand."""
    wrong_positions: tuple[WrongPosition, ...] = ()
    """Positions that no game can stand in."""
    scene: Scene | None = None
    """A moment for the examples of the contract, if not any move of a golden game is good for it."""
    examples: Mapping[str, Any] = MappingProxyType({})
    """Commands and events, by type, that no golden game contains."""

    # Golden games
    changed: str | None = None
    """A small golden game in which much happens; if not given, the smallest one."""
    turns: tuple[str, str] | None = None
    """The type of the event that begins a turn, and its field with the seat whose turn it is."""
    changes: int | None = None
    """The maximum number of changed events of each kind, all if not given."""
    unseen: frozenset[str] = frozenset()
    """Fields, in addition to those of every game, that the rules do not determine."""

    # Bots and pages
    levels: tuple[str, ...] = ("random",)
    """The levels of its bots, the weakest first."""
    short: ShortGame | None = None
    """A game that people play to its end on the pages in few moves."""
    computer: AgainstTheComputer | None = None
    """A game that a visitor plays against the computer to its end on the pages."""
    long: LongGame | None = None
    """A game that lasts, whose page is looked at in windows of all sizes."""

    # Clients
    clients: frozenset[str] = frozenset()
    """The generated clients that play it: see `tests.slow.clients`."""
    choices: frozenset[str] = frozenset()
    """The types of the fields of its offers, which a game of any length has."""
    seldom: str | None = None
    """A type of fields that not every game has."""
    read: frozenset[str] = frozenset()
    """The types of fields that every game has."""
    sent: frozenset[str] = frozenset()
    """Commands that are carried out in every game, in addition to the start."""

    # Benchmarks
    calibrated: tuple[Calibrated, ...] = ()
    """Games of which the calibration makes predictions."""


@cache
def profile_of(name: str) -> Profile:
    """The profile of a rule set."""
    module = own_module(name, "profile")
    profile: Profile = Profile() if module is None else module.PROFILE
    return profile


def own_module(name: str, part: str) -> ModuleType | None:
    """A module next to the own tests of a rule set, if there is one."""
    folder = f"tests.pure.{name}"
    if find_spec(folder) is None or find_spec(f"{folder}.{part}") is None:
        return None
    return import_module(f"{folder}.{part}")


def end(offer: bots.Offer, last: int) -> bots.Command:
    """The command of an offer with the first (0) or the last (-1) value of each field."""
    values = {
        name: field["options"][last] if "options" in field else field[("min", "max")[last]]
        for name, field in offer.get("fields", {}).items()
    }
    return {"type": offer["command"]} | values
