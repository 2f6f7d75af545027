"""A game as environments play it: its state, its commands, and its rewards."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct

from mcmulti.domain.core.capabilities.positions import BECAUSE, BadPosition
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.course.positions import Fault
from mcmulti.domain.core.offers import Offer
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.library.game import Game
from mcmulti.library.positions import read_document
from mcmulti.library.state import State
from mcmulti.library.steps import game_numbered, set_up, won
from mcmulti.training.encoders.subjects import actions_of, layout_of, subject_named
from mcmulti.training.layout import Vector

Reward = Literal["win", "rank", "worth"]
"""What is rewarded; see `docs/how-to/train-a-bot.md`. For every kind of reward, all seats add up to zero."""
REWARDS: tuple[Reward, ...] = get_args(Reward)


def worths(ruleset: Ruleset[Any], state: Any) -> tuple[int, ...]:
    """The worth of each seat's assets, in money; 0 before the start."""
    money = ruleset.books.money
    holdings = ruleset.books.gauges(state).holdings
    return tuple(has.amounts[money] if has.worth is None else has.worth for has in holdings)


def ranked(winners: Sequence[int], money: Sequence[int]) -> list[float]:
    """From 1 for the first to -1 for the last: winners first, then by money. Equal seats share their ranks."""
    keys = [(seat in winners, has) for seat, has in enumerate(money)]
    better = [sum(other > key for other in keys) for key in keys]
    worse = [sum(other < key for other in keys) for key in keys]
    return [(below - above) / (len(keys) - 1) for above, below in zip(better, worse, strict=True)]


def shares(worth: Sequence[int]) -> list[float]:
    """By how much each seat's share of the total exceeds an equal share."""
    total = sum(worth)
    return [has / total - 1 / len(worth) if total else 0.0 for has in worth]


MOST_STEPS = 10_000
"""Default number of commands, of all seats, after which a game is truncated."""
ILLEGAL = -1.0
"""The reward for an illegal action."""
_MADE_AGAIN = ("subject", "ruleset", "actions", "layout", "_chance")


class Match:
    """Games of a rule set, one after the other. `begin` starts each.

    `setup`: what each game is created with. `reward`: what is rewarded. `most`: a game is truncated after this many
    commands. `state`: the current state. Raises `ValueError` for an unknown rule set, setup, or reward.
    """

    state: Any

    def __init__(self, ruleset: str, setup: dict[str, Any], reward: Reward, most: int) -> None:
        if reward not in REWARDS:
            raise ValueError(f"{reward!r} is not a reward: {', '.join(REWARDS)}")
        self.name, self._reward, self._most = ruleset, reward, most
        kind: Any = subject_named(ruleset).ruleset.setup
        try:
            self.setup = msgspec.convert(setup, kind)
        except msgspec.ValidationError as error:
            raise ValueError(f"no {ruleset} is played like this: {error}") from None
        self.seats: int = self.setup.seats
        self._secret, self._game_id = b"", ""
        self._played = self.setup
        self._learn()

    def _learn(self) -> None:
        """Set what follows from the rule set and the number of players."""
        self.subject = subject_named(self.name)
        self.ruleset: Ruleset[Any] = self.subject.ruleset
        self.actions = actions_of(self.name)
        self.layout = layout_of(self.name, self.seats)
        self._chance = SeededChance(self._secret, self._game_id)

    def begin(self, random: Random, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game with a player on every seat. The dice follow from a seed drawn here.

        `options`: if they have a `position`, the game begins with it, and is for practice. Raises `BadPosition` for
        something else than a document of a position, and for one of another game or number of players.
        """
        game, origin = Game(self.ruleset, self.setup), None
        if options is not None and options.get("position") is not None:
            game, origin = read_document(options["position"])
            self._fit(game)
        self._secret = random.randbytes(32)
        self._game_id = str(game_numbered(random.randrange(16**12)))
        self._chance = SeededChance(self._secret, self._game_id)
        *_, started = set_up(self.ruleset, game.setup, self._game_id, self._chance, origin=origin)
        self.state, self._done, self._played = started.state, 0, game.setup
        self._worth = self._shares()

    def _fit(self, game: Game) -> None:
        """Raise `BadPosition` if a game is not one of this environment, whose spaces depend on game and seats."""
        if game.name != self.name:
            raise BadPosition([Fault("ruleset", BECAUSE("other_game", wanted=self.name))], readable=True)
        if game.num_players() != self.seats:
            raise BadPosition([Fault("setup.seats", BECAUSE("other_seats", wanted=self.seats))], readable=True)

    def position(self) -> State:
        """The game as a library state with the same future dice, for looking ahead. It has no history."""
        return State(Game(self.ruleset, self._played), self.state, self._chance)

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats that the game waits for."""
        return self.ruleset.to_move(self.state)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.ruleset.status(self.state) == "finished"

    @property
    def cut_off(self) -> bool:
        """Whether the game was truncated: it took the maximum number of commands and is not over."""
        return self._done >= self._most and not self.over

    def take(self, seat: int, command: Struct, offer: Offer) -> None:
        """Carry out a command that this offer admits."""
        self.state = self.ruleset.carry_out(self.state, seat, command, offer, self._chance).state
        self._done += 1

    def home(self, seat: int) -> int:
        """The part of the board from which a seat counts; see `Subject`."""
        return self.subject.home(self.state, seat)

    def observed(self, seat: int) -> Vector:
        """The observation of a seat."""
        return self.layout.observed(self.state, seat)

    def rewards(self) -> list[float]:
        """The reward of every seat since the last call."""
        over = self.over
        winners = self.ruleset.outcome(self.state).winners if over else ()
        prizes = won(winners, self.seats)
        if self._reward == "worth":
            before, self._worth = self._worth, self._shares()
            return [prize + now - then for prize, now, then in zip(prizes, self._worth, before, strict=True)]
        return ranked(winners, worths(self.ruleset, self.state)) if over and self._reward == "rank" else prizes

    def _shares(self) -> list[float]:
        return shares(worths(self.ruleset, self.state)) if self._reward == "worth" else []

    def __getstate__(self) -> dict[str, Any]:
        """What is copied and pickled. Everything derived from it is rebuilt."""
        return {name: value for name, value in self.__dict__.items() if name not in _MADE_AGAIN}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._learn()
