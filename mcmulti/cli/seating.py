"""Options of new games: the rule set, the strategies, the setup."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, cast

import click
from click.shell_completion import CompletionItem

from mcmulti.cli.options import Decorated

if TYPE_CHECKING:
    from mcmulti.domain.core.ruleset import Ruleset


class Listed(click.ParamType[str]):
    """A choice of names that are looked up only when needed, so that the help of other commands does not load them."""

    name = "name"

    def __init__(self, names: Callable[[], Iterable[str]]) -> None:
        self._names = names

    def convert(self, value: str, param: click.Parameter | None, context: click.Context | None) -> str:
        names = tuple(self._names())
        if value not in names:
            self.fail(f"{value!r} is not one of {', '.join(map(repr, names))}.", param, context)
        return value

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return f"[{'|'.join(self._names())}]"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(name) for name in self._names() if name.startswith(incomplete)]


def _rulesets() -> Iterable[str]:
    from mcmulti.domain.rulesets import CURRENT

    return CURRENT


def default_ruleset() -> str:
    """The rule set of a new game if none is given."""
    from mcmulti.domain.rulesets import DEFAULT

    return DEFAULT


class LateHelp(click.Option):
    """An option whose help has a text in place of `{}`, which is built only when help is requested."""

    def __init__(self, *arguments: Any, told: Callable[[], str], **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._told, self._template = told, more["help"]

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        self.help = self._template.format(self._told())
        return super().get_help_record(ctx)


def strategies_told() -> str:
    """The strategies for every rule set other than random ones, for help texts."""
    from mcmulti.bots.strategies.registry import strategies_of

    house = {ruleset: [name for name in strategies_of(ruleset) if name != "random"] for ruleset in _rulesets()}
    return ", ".join(f"{' or '.join(names)} for {ruleset}" for ruleset, names in house.items() if names)


def seats_told() -> str:
    """The numbers of players of every rule set, for help texts."""
    from mcmulti.domain.rulesets import CURRENT

    possible = {name: _possible_seats(ruleset) for name, ruleset in CURRENT.items()}
    return ", ".join(
        f"{' to '.join(str(number) for number in dict.fromkeys((seats[0], seats[-1])))} for {name}"
        for name, seats in possible.items()
        if seats
    )


class ClockText(click.ParamType[dict[str, int]]):
    """A clock as people write it: ``60+600``, the seconds per move and in the bank, or ``24h``."""

    name = "clock"
    _UNITS: ClassVar = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86_400}
    _WRITTEN = re.compile(r"(\d{1,9})([smhd]?)(?:\+(\d{1,9})([smhd]?))?", re.ASCII)

    def convert(
        self, value: str | dict[str, int], param: click.Parameter | None, context: click.Context | None
    ) -> dict[str, int]:
        if isinstance(value, dict):
            return value
        written = self._WRITTEN.fullmatch(value)
        if written is None:
            self.fail(
                f"{value!r} must look like 60+600 (seconds per move, and in the bank), 10m, or 24h.", param, context
            )
        move, unit, bank, bank_unit = written.groups(default="")
        return {
            "move_seconds": int(move) * self._UNITS[unit],
            "bank_seconds": int(bank or 0) * self._UNITS[bank_unit],
        }


RULESET = Listed(_rulesets)


def ruleset_option(help: str, **more: Any) -> Callable[[Decorated], Decorated]:
    """The option for the rule set of a new game. Its help ends with the default one."""
    text = f"{help}  [default: {{}}]"
    return click.option("--ruleset", cls=LateHelp, told=default_ruleset, type=RULESET, help=text, **more)


PLAYERS = click.IntRange(min=1)

clock_option = click.option(
    "--clock",
    type=ClockText(),
    metavar="MOVE[+BANK]",
    help="Time per move in a new game, plus a time bank per player: 60+600, 10m, or 24h.  [default: no limit]",
)

TROUBLES = "strategy-troubles"
"""The folder for positions in which strategies failed, below the current folder."""

time_limit_option = click.option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    default=10.0,
    metavar="SECONDS",
    help="Time that a strategy may take for a decision, including retries.",
)

set_option = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="Another setup option of the rule set for a new game; VALUE is JSON or text; repeatable.",
)


class NewGame(NamedTuple):
    """The setup of a new game, and its number of seats."""

    setup: dict[str, Any]
    seats: int


class GameWanted(NamedTuple):
    """A new game as options describe it. What was not given is None or empty."""

    ruleset: str | None
    players: int | None
    target: str | None
    settings: tuple[str, ...]
    clock: dict[str, int] | None = None

    @property
    def name(self) -> str:
        """Its rule set: the given one, or the default."""
        return self.ruleset or default_ruleset()

    def set_up(self, strategies: int = 1) -> NewGame:
        """The game. By default it has a seat for each of several strategies, if the rule set has such tables.

        Raises `click.BadParameter`.
        """
        if self.players is None and strategies > 1:
            with suppress(click.BadParameter):
                return self._replace(players=strategies).set_up()
        return new_game(self.name, self.players, self.target, self.settings, self.clock)


def game_options(players: str, *, clocks: bool = True, **more: Any) -> Callable[[Decorated], Decorated]:
    """Options for a new game, which the command gets as `wanted`. `players`: the help of the number of seats, an option
    with these further attributes.
    """
    options = (
        ruleset_option("Rule set of a new game."),
        click.option("--players", type=PLAYERS, metavar="N", help=players, **more),
        click.option(
            "--target",
            type=click.Choice(["750", "1000"]),
            help="Cash to declare victory in a new game, in millions; mcmulti only.  [default: 750]",
        ),
        *([clock_option] if clocks else []),
        set_option,
    )

    def with_options(command: Decorated) -> Decorated:
        @wraps(command)
        def with_game(**given: Any) -> Any:
            wanted = GameWanted(**{name: given.pop(name) for name in GameWanted._fields if name in given})
            return command(wanted=wanted, **given)

        decorated = cast(Decorated, with_game)
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return with_options


def new_game(
    name: str,
    players: int | None,
    target: str | None,
    settings: Iterable[str],
    clock: dict[str, int] | None = None,
) -> NewGame:
    """A game of the named rule set, set up as requested. Raises `click.BadParameter` for invalid values."""
    import msgspec

    from mcmulti.domain.core.chance import SeededChance
    from mcmulti.domain.core.offers import Rejection
    from mcmulti.domain.rulesets import CURRENT

    ruleset = CURRENT[name]
    setup = dict(_setting(text) for text in settings)
    for setting, value in setup.items():
        _check_option(ruleset, setting, value, "--set")
    for setting, given in (("target", target), ("seats", players), ("clock", clock)):
        if given is not None and setting in setup:
            raise click.BadParameter(f"{setting} has an option of its own. Use only one of them.", param_hint="--set")
    if target is not None:
        _check_option(ruleset, "target", int(target), "--target")
        setup["target"] = int(target)
    if clock is not None:
        if "clock" not in ruleset.setup.__struct_fields__:
            raise click.BadParameter(f"{ruleset.title} has deadlines of its own and no clocks.", param_hint="--clock")
        _check_option(ruleset, "clock", clock, "--clock")
        setup["clock"] = clock
    if players is not None:
        _check_players(ruleset, players)
        setup |= {"seats": players} if "seats" in ruleset.setup.__struct_fields__ else {}
    opened = ruleset.open("", msgspec.convert(setup, ruleset.setup), SeededChance(bytes(32), ""))
    if isinstance(opened, Rejection):
        option = "--clock" if clock is not None and opened.field == "clock" else "--set"
        raise click.BadParameter(ruleset.texts.tell_refusal(opened, "en"), param_hint=option)
    seats = len(ruleset.players(opened.state))
    if players not in (None, seats):
        raise click.BadParameter(f"{ruleset.title} is always for {seats}.", param_hint="--players")
    return NewGame(setup, seats)


def _setting(text: str) -> tuple[str, Any]:
    import msgspec

    name, equals, value = text.partition("=")
    if not equals:
        raise click.BadParameter(f"{text!r} must look like NAME=VALUE.", param_hint="--set")
    try:
        return name, msgspec.json.decode(value)
    except (ValueError, RecursionError):
        return name, value


def _check_option(ruleset: "Ruleset[Any]", name: str, value: Any, option: str) -> None:
    """Refuse values with which no game of the rule set can be set up."""
    import msgspec

    known = ruleset.setup.__struct_fields__
    if name not in known:
        said = f"{ruleset.title} has no option {name!r}. Options: {', '.join(known)}."
        raise click.BadParameter(said, param_hint=option)
    try:
        msgspec.convert({name: value}, ruleset.setup)
    except ValueError as error:  # or bytes that are not text, which a command line may contain
        raise click.BadParameter(f"{name}: {str(error).partition(' - at')[0]}.", param_hint=option) from error


def _possible_seats(ruleset: "Ruleset[Any]") -> list[int]:
    """The numbers of players that the rule set has tables for. Empty if they are not part of its setup."""
    import msgspec

    from mcmulti.domain.core.figures import MOST_SEATS

    if "seats" not in ruleset.setup.__struct_fields__:
        return []
    possible = []
    for seats in range(1, MOST_SEATS + 1):
        try:
            msgspec.convert({"seats": seats}, ruleset.setup)
        except msgspec.ValidationError:
            continue
        possible.append(seats)
    return possible


def _check_players(ruleset: "Ruleset[Any]", players: int) -> None:
    """Refuse a number of players that the rule set has no table for."""
    possible = _possible_seats(ruleset)
    if not possible or players in possible:
        return
    said = f"{players} is not in the range {possible[0]}<=x<={possible[-1]}."
    if len(possible) == 1:
        said = f"{ruleset.title} is always for {possible[0]}."
    raise click.BadParameter(said, param_hint="--players")


def strategies_for(ruleset: str, listed: str | None) -> tuple[str, ...]:
    """The listed strategies, including your own, or the best one for the rule set."""
    from mcmulti.bots.strategies.registry import strategies_of

    names = tuple((listed or strategies_of(ruleset)[0]).split(","))
    check_strategies(ruleset, names)
    return names


def check_strategies(ruleset: str, names: Iterable[str], option: str = "--strategy") -> None:
    """Refuse names, given with this option, of no strategies for the rule set."""
    from mcmulti.bots.strategies.own import maker_of
    from mcmulti.bots.strategy import NoStrategy

    try:
        for name in names:
            maker_of(ruleset, name)
    except NoStrategy as error:
        raise click.BadParameter(str(error), param_hint=option) from error


@contextmanager
def strategies_may_fail() -> Iterator[None]:
    """While the block runs, a strategy that cannot play or that fails ends the command. Its position is kept."""
    from mcmulti.bots.seats.trouble import StrategyFailed, keep
    from mcmulti.bots.strategy import NoStrategy

    try:
        yield
    except NoStrategy as error:
        raise click.ClickException(str(error)) from error
    except StrategyFailed as error:
        kept = keep(error.trouble, Path(TROUBLES))
        raise click.ClickException(f"{error.trouble.strategy}: {error}\nThe position is in {kept}.") from error


POSITION_SAYS = "The position says the rule set and the setup. Leave out the options for them."


def position_in(file: Path, option: str) -> dict[str, Any]:
    """The document of the position in a file, given with this option or argument. Raises `click.BadParameter`, with
    every fault, for one that no game can stand in.
    """
    from mcmulti.library.positions import BadPosition, open_position

    try:
        return open_position(file.read_bytes()).position()
    except BadPosition as bad:
        raise click.BadParameter(str(bad), param_hint=option) from None
