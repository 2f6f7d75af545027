"""Positions as data: write down what is on the table, check it, and play on from it."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from mcmulti.domain.core.capabilities.positions import (
    BECAUSE,
    BadPosition,
    PositionDocument,
    document_of,
    unreadable,
)
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.course.positions import Fault, Origin
from mcmulti.library.game import Game, load_game, opened
from mcmulti.library.state import State, secret
from mcmulti.library.steps import game_numbered, named, strangers

__all__ = ["BadPosition", "open_position", "position_of", "read_document"]


def position_of(state: State, *, drawing: bool) -> dict[str, Any]:
    """The document of a position. Raises `ValueError` if no game can go on from the position."""
    if drawing:
        raise ValueError("a draw is pending: take the position before the command, or after the draw")
    document: dict[str, Any] = msgspec.to_builtins(document_of(state.game.ruleset, state.table))
    return document


def open_position(
    document: Mapping[str, Any] | str | bytes, seed: int | bytes | None = None, names: Sequence[str] = ()
) -> State:
    """Open a game from a document that `State.position` wrote, with new players on every seat and new dice.

    `seed` and `names` are those of `Game.new_initial_state`. Raises `BadPosition` for a document that cannot be read,
    and for a position that no game can stand in.
    """
    game, origin = read_document(document)
    if names and len(names) != game.num_players():
        raise ValueError(f"{len(names)} names for {game.num_players()} players")
    game_id, chance = str(game_numbered(0)), None
    if seed is not None:
        chance = SeededChance(secret(seed), game_id)
    return opened(game, game_id, chance, named(names) if names else strangers(game.num_players()), origin)


def read_document(document: Mapping[str, Any] | str | bytes) -> tuple[Game, Origin]:
    """Read the game of a document, and its origin, which is not checked yet. Raises `BadPosition`."""
    try:
        if isinstance(document, Mapping):
            found = msgspec.convert(dict(document), PositionDocument)
        else:
            found = msgspec.json.decode(document, type=PositionDocument)
    except (msgspec.DecodeError, TypeError, ValueError, RecursionError) as error:
        raise unreadable("", error) from None
    try:
        game = load_game(found.ruleset, **{**found.setup, "practice": True})
    except (ValueError, TypeError) as error:
        raise unreadable("ruleset" if "there is no game" in str(error) else "setup", error) from None
    if found.version != game.version:
        reason = BECAUSE("other_version", current=game.version, given=found.version)
        raise BadPosition([Fault("version", reason)], readable=False)
    return game, Origin(found.position)
