"""Positions as data: what stands on the table, written down, checked, and played on from."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.course.positions import Fault
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.table import Table, presented, slots_of
from mcmulti.library.chance import GivenChance
from mcmulti.library.game import Game, load_game
from mcmulti.library.sitters import game_numbered, named, strangers
from mcmulti.library.state import State, secret
from mcmulti.library.steps import set_up


class BadPosition(ValueError):
    """A document describes no position. `faults`: each with its `field` and the `reason`.

    `readable`: whether the document could be read; then it describes a position that no game can stand in.
    """

    def __init__(self, faults: Sequence[Fault], *, readable: bool) -> None:
        super().__init__("; ".join(f"{fault.field}: {fault.reason}" for fault in faults))
        self.faults, self.readable = tuple(faults), readable


class _Document(Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal[1]
    ruleset: str
    version: int
    setup: dict[str, Any]
    position: dict[str, Any]


def position_of(state: State, *, drawing: bool) -> dict[str, Any]:
    """The document of a position. Raises `ValueError` where it is none that can be played on from."""
    if drawing:
        raise ValueError("a draw is pending: take the position before the command, or after the draw")
    if state.is_terminal():
        raise ValueError("the game is over")
    if state.table.vacant:
        raise ValueError(f"nobody sits on seat {state.table.vacant[0]}: a position has a player on every seat")
    shown = msgspec.json.decode(msgspec.json.encode(state.table))
    return {
        "format": 1,
        "ruleset": state.game.name,
        "version": state.game.version,
        "setup": msgspec.json.decode(msgspec.json.encode(state.game.setup)),
        "position": {name: shown[name] for name in _told(state.game.ruleset)},
    }


def open_position(
    document: Mapping[str, Any] | str | bytes, seed: int | bytes | None = None, names: Sequence[str] = ()
) -> State:
    """A game that stands as a document says, from `State.position`, with new players on every seat and new dice.

    `seed` and `names` are those of `Game.new_initial_state`. The game has no record, as it was not played from its
    opening. Raises `BadPosition` for a document that cannot be read, and for a position that no game can stand in.
    """
    game, read = _readable(document)
    if names and len(names) != game.num_players():
        raise ValueError(f"{len(names)} names for {game.num_players()} players")
    sitters = named(names) if names else strangers(game.num_players())
    game_id, chance = str(game_numbered(0)), None
    if seed is not None:
        chance = SeededChance(secret(seed), game_id)
    steps = set_up(game.ruleset, game.setup, game_id, chance or GivenChance(), sitters=sitters)
    *_, seated = islice(steps, 1 + game.num_players())
    table = _table(game.ruleset, seated.state, read)
    faults = tuple(_illegal(game.ruleset, table))
    if faults:
        raise BadPosition(faults, readable=True)
    return State(game, presented(table, {str(each.player): each.name for each in sitters}), chance, None)


def _told(ruleset: Ruleset[Any]) -> tuple[str, ...]:
    """The fields of states that a position has: the game's own, without players, dice, and capabilities."""
    kind: type[Table] = ruleset.state_type
    others = {*Table.__struct_fields__, "setup", *(name for name, _ in slots_of(kind))}
    return tuple(name for name in kind.__struct_fields__ if name not in others)


def _readable(document: Mapping[str, Any] | str | bytes) -> tuple[Game, dict[str, Any]]:
    """The game of a document, and the fields of its position."""
    try:
        if isinstance(document, Mapping):
            found = msgspec.convert(dict(document), _Document)
        else:
            found = msgspec.json.decode(document, type=_Document)
    except (msgspec.DecodeError, TypeError, ValueError, RecursionError) as error:
        raise _unreadable("", error) from None
    try:
        game = load_game(found.ruleset, **found.setup)
    except (ValueError, TypeError) as error:
        raise _unreadable("ruleset" if "there is no game" in str(error) else "setup", error) from None
    if found.version != game.version:
        raise BadPosition([Fault("version", f"it is {game.version} now, not {found.version}")], readable=False)
    wanted = set(_told(game.ruleset))
    strange = [Fault(name, "there is no such field") for name in found.position if name not in wanted]
    missing = [Fault(name, "it is missing") for name in _told(game.ruleset) if name not in found.position]
    if strange or missing:
        raise BadPosition([*strange, *missing], readable=False)
    return game, found.position


def _table(ruleset: Ruleset[Any], seated: Any, read: dict[str, Any]) -> Any:
    """The state of a table at which everybody sits, with the fields of a position."""
    kind = msgspec.defstruct(
        "Position",
        [(field.name, field.type) for field in msgspec.structs.fields(ruleset.state_type) if field.name in read],
    )
    try:
        fields = msgspec.convert(read, kind)
    except (msgspec.ValidationError, TypeError, RecursionError) as error:
        raise _unreadable("", error) from None
    unknown = list(_unknown("", read, msgspec.json.decode(msgspec.json.encode(fields))))
    if unknown:
        raise BadPosition(unknown, readable=False)
    values = {name: getattr(fields, name) for name in kind.__struct_fields__}
    return replace(seated, entropy=seated.given_entropy, **values)


def _unknown(field: str, given: Any, known: Any) -> Iterator[Fault]:
    """The members of what was given that nothing was made of."""
    if isinstance(given, Mapping) and isinstance(known, Mapping):
        for name, value in given.items():
            place = f"{field}.{name}" if field else name
            if name in known:
                yield from _unknown(place, value, known[name])
            elif value:  # what has its default may be left out
                yield Fault(place, "there is no such field")
    elif isinstance(given, Sequence) and isinstance(known, Sequence) and not isinstance(given, str):
        for number, (one, other) in enumerate(zip(given, known, strict=False)):
            yield from _unknown(f"{field}[{number}]", one, other)


def _illegal(ruleset: Ruleset[Any], table: Any) -> Iterator[Fault]:
    """Why no game can stand like this: by its rules, or since nobody could go on."""
    found = list(ruleset.faults(table))
    if found:
        yield from found
        return
    try:
        moving = ruleset.to_move(table)
        if ruleset.status(table) != "running" or not moving:
            yield Fault("", "the game waits for nobody")
            return
        for seat in moving:
            if seat not in range(len(table.player_ids)):
                yield Fault("", f"the game waits for seat {seat}, which there is not")
                return
            if all(offer.blocked_by for offer in ruleset.offers(table, seat)):
                yield Fault("", f"the game waits for seat {seat}, and there is nothing that it could do")
                return
        for seat in range(len(table.player_ids)):
            ruleset.view(table, seat)
        ruleset.books.gauges(table)
    except (LookupError, ValueError, TypeError, ArithmeticError, AttributeError) as error:
        yield Fault("", f"the rules cannot go on from here ({error})")


def _unreadable(field: str, error: Exception) -> BadPosition:
    said, _, path = str(error).partition(" - at `$")
    place = path.rstrip("`").lstrip(".").removeprefix("position.")
    return BadPosition([Fault(".".join(filter(None, (field, place))), said)], readable=False)
