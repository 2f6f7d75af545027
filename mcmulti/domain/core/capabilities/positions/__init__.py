"""Positions: that games for practice can begin in the middle, with what somebody wrote down or took from another."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from mcmulti.domain.core.capabilities.capability import Capability
from mcmulti.domain.core.commands import StartGame
from mcmulti.domain.core.course.course import Course
from mcmulti.domain.core.course.positions import Fault, Moment, PositionFields, Reasons
from mcmulti.domain.core.course.posting import CAPITAL, Transfer, transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Count, GivenEntropy, RulesetName
from mcmulti.domain.core.offers import Offer
from mcmulti.domain.core.shown.gauges import Gauges
from mcmulti.domain.core.table import Chair, Table, slots_of
from mcmulti.domain.core.wording.telling import Language

if TYPE_CHECKING:
    from mcmulti.domain.core.flow import Carrier
    from mcmulti.domain.core.ruleset import Ruleset


T = TypeVar("T", bound=Table)

BECAUSE = Reasons(__package__)
"""Why no game can begin with a document, whatever the rule set."""


class BadPosition(ValueError):
    """A document describes no position. `faults`: each with its `field` and the `reason`.

    `readable`: whether the document could be read; then it describes a position that no game can stand in.
    """

    def __init__(self, faults: Sequence[Fault], *, readable: bool) -> None:
        self.faults, self.readable = tuple(faults), readable
        super().__init__(self.told())

    def told(self, language: Language = "en") -> str:
        """All faults in a language."""
        return "; ".join(fault.told(language) for fault in self.faults)


@cache
def position_fields(kind: type[Table]) -> tuple[str, ...]:
    """The fields of states that a position has: the game's own, without players, dice, and capabilities."""
    others = {*Table.__struct_fields__, "setup", *(name for name, _ in slots_of(kind))}
    return tuple(name for name in kind.__struct_fields__ if name not in others)


def described(state: Table) -> dict[str, Any]:
    """What stands on the table, as JSON has it. Raises `ValueError` where no game can be played on from there."""
    if state.status != "running":
        raise ValueError("the game is over" if state.status == "finished" else "the game has not begun")
    if state.vacant:
        raise ValueError(f"nobody sits on seat {state.vacant[0] + 1}: a position has a player on every seat")
    shown = msgspec.json.decode(msgspec.json.encode(state))
    return {name: shown[name] for name in position_fields(type(state))}


class PositionDocument(Struct, frozen=True, forbid_unknown_fields=True):
    """A position of a game, which can be written down, changed, and played on from. `format`: how it is written.

    `setup`: that of a practice table which begins with it. `position`: what stands on the table.
    """

    format: Literal[1]
    ruleset: RulesetName
    version: Count
    setup: dict[str, Any]
    position: PositionFields


def document_of(ruleset: "Ruleset[Any]", state: Table) -> PositionDocument:
    """The position of a game in this state. Raises `ValueError` where no game can be played on from there."""
    return PositionDocument(1, ruleset.name, ruleset.version, msgspec.to_builtins(_setup_of(state)), described(state))


def _setup_of(state: Table) -> Any:
    """The setup of a table that begins with what stands on this one: for as many as play, without a clock."""
    setup: Any = state.setup
    changes: dict[str, Any] = {"practice": True, "seats": len(state.player_ids), "clock": None}
    if getattr(setup, "if_left", None) == "bot":
        changes["if_left"] = "substitute"  # a house bot plays on only where a clock runs
    return replace(setup, **{name: value for name, value in changes.items() if hasattr(setup, name)})


def standing(state: T, position: Mapping[str, Any]) -> T:
    """The state in which this stands on the table, with the dice as they were given. Raises `BadPosition`."""
    read = _read(type(state), position)
    values = {name: getattr(read, name) for name in read.__struct_fields__}
    return replace(state, entropy=state.given_entropy, **values)


def checked(ruleset: "Ruleset[Any]", opened: Table, position: Mapping[str, Any]) -> dict[str, Any]:
    """A position as it is written, for a table that was just opened. Raises `BadPosition` if no game can stand so."""
    players = tuple(f"00000000-0000-4000-8000-{seat:012x}" for seat in range(len(opened.chairs)))
    seated = replace(opened, player_ids=players, chairs=tuple(Chair(player, "") for player in players))
    state = standing(seated, position)
    faults = tuple(_illegal(ruleset, state))
    if faults:
        raise BadPosition(faults, readable=True)
    return described(state)


@cache
def _document(kind: type[Table]) -> type[Struct]:
    """What the positions of such states are read with."""
    fields = {field.name: field.type for field in msgspec.structs.fields(kind)}
    return msgspec.defstruct("Position", [(name, fields[name]) for name in position_fields(kind)], frozen=True)


def _read(kind: type[Table], position: Mapping[str, Any]) -> Struct:
    wanted = position_fields(kind)
    strange = [Fault(name, BECAUSE("no_field")) for name in position if name not in wanted]
    missing = [Fault(name, BECAUSE("missing")) for name in wanted if name not in position]
    if strange or missing:
        raise BadPosition([*strange, *missing], readable=False)
    try:
        read = msgspec.convert(dict(position), _document(kind))
    except (msgspec.ValidationError, TypeError, RecursionError) as error:
        raise unreadable("", error) from None
    unknown = list(_unknown("", position, msgspec.json.decode(msgspec.json.encode(read))))
    if unknown:
        raise BadPosition(unknown, readable=False)
    return read


def _unknown(field: str, given: Any, known: Any) -> Iterator[Fault]:
    """The members of what was given that nothing was made of."""
    if isinstance(given, Mapping) and isinstance(known, Mapping):
        for name, value in given.items():
            place = f"{field}.{name}" if field else name
            if name in known:
                yield from _unknown(place, value, known[name])
            elif value:  # what has its default may be left out
                yield Fault(place, BECAUSE("no_field"))
    elif isinstance(given, Sequence) and isinstance(known, Sequence) and not isinstance(given, str):
        for number, (one, other) in enumerate(zip(given, known, strict=False)):
            yield from _unknown(f"{field}[{number}]", one, other)


def _illegal(ruleset: "Ruleset[Any]", table: Any) -> Iterator[Fault]:
    """Why no game can stand like this: by its rules, or since nobody could go on."""
    found = list(ruleset.faults(table))
    if found:
        yield from found
        return
    try:
        moving = ruleset.to_move(table)
        if ruleset.status(table) != "running" or not moving:
            yield Fault("", BECAUSE("waits_for_nobody"))
            return
        for seat in moving:
            if seat not in range(len(table.player_ids)):
                yield Fault("", BECAUSE("no_such_seat", seat=seat))
                return
            if all(offer.blocked_by for offer in ruleset.offers(table, seat)):
                yield Fault("", BECAUSE("nothing_to_do", seat=seat))
                return
        for seat in range(len(table.player_ids)):
            ruleset.view(table, seat)
        ruleset.books.gauges(table)
    except (LookupError, ValueError, TypeError, ArithmeticError, AttributeError) as error:
        yield Fault("", BECAUSE("cannot_go_on", error=error))


def unreadable(field: str, error: Exception) -> BadPosition:
    """The fault that msgspec found, or another error, at a field."""
    said, _, path = str(error).partition(" - at `$")
    place = path.rstrip("`").lstrip(".").removeprefix("position.")
    where = ".".join(filter(None, (field, place)))
    return BadPosition([Fault(where, BECAUSE("unreadable", said=said))], readable=False)


RULE = "table/position"
Opening = Callable[[Any], tuple[Transfer, ...]]
"""What the books of a game say about a position: the source of everything on the table, in each account."""


class PositionSetUp(Event, frozen=True):
    """A practice game begins: the position that its first event holds is on the table.

    `balances`: what the books open with. `branch_of`: the moment that the position is taken from, null if it is not
    from another game. `entropy`: what the seats gave to the dice.
    """

    balances: Annotated[tuple[Transfer, ...], Meta(max_length=500)]
    branch_of: Moment | None
    entropy: GivenEntropy

    def evolve(self, state: T) -> T:
        origin = state.origin
        if origin is None:
            raise ValueError("the first event of the game holds no position")
        return replace(standing(state, origin.position), entropy=self.entropy, origin=origin.begun)

    def transfers(self) -> tuple[Transfer, ...]:
        return self.balances

    def form(self, say: object) -> Literal["position", "branch"]:
        return "position" if self.branch_of is None else "branch"

    def event(self, say: Any) -> str:
        """The number of the event that the game goes on after."""
        return "" if self.branch_of is None else str(say.number(self.branch_of.seq))


class Positions(Capability, frozen=True, kw_only=True):
    """That games can begin from a position, if one is given when they are opened. `opening`: what is booked then.

    `unsealed`: the state of a game that runs without what anybody sealed, which others may not read yet.
    """

    room: ClassVar[str] = __name__
    events: ClassVar[tuple[type[Event], ...]] = (PositionSetUp,)

    opening: Opening
    unsealed: Callable[[Any], Any] = lambda state: state

    def starting(self, start: "Carrier") -> "Carrier":
        """The game begins as always, or else by what its first event holds."""

        def begin(course: Course[Any], seat: Any, command: StartGame, offer: Offer) -> None:
            state = course.state
            if state.origin is None:
                start(course, seat, command, offer)
                return
            stands = standing(state, state.origin.position)
            course.record(PositionSetUp(self.opening(stands), state.origin.branch_of, state.given_entropy), RULE)

        return begin


def opening_of(gauges: Callable[[Any], Gauges]) -> Opening:
    """The opening of books that have an account for each unit at each seat."""

    def opening(state: Any) -> tuple[Transfer, ...]:
        return tuple(
            moved
            for holding in gauges(state).holdings
            for unit, amount in holding.amounts.items()
            for moved in transfer("bank", f"seat:{holding.seat}:{unit}", unit, amount, CAPITAL)
        )

    return opening
