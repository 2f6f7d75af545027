"""Moves of the box game, tried out on imagined states."""

from collections.abc import Iterator
from typing import Any

import msgspec

from mcmulti.bots.strategies.field import Ground, Spot
from mcmulti.bots.strategies.tycoon import tycoon
from mcmulti.bots.strategy import Command
from mcmulti.domain.core.offers import Choice
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import BuyAsset, CleanUp, SellAsset
from mcmulti.domain.oil.names import Site, SiteChoice
from mcmulti.domain.oil.view import quadrant_views
from mcmulti.library.state import IllegalAction, State

_MOVES = {command.__name__: command for command in RULESET.commands.moves}


def usual(state: State, seat: int) -> list[Any]:
    """What a tycoon would do."""
    shown = msgspec.to_builtins((state.observation(seat), state.offers(seat)))
    return [move_of(command) for command in tycoon(*shown)]


def move_of(command: Command) -> Any:
    """A command in the types of the rules."""
    return msgspec.convert(command, _MOVES[command["type"]])


def taken(state: State, seat: int, move: Any) -> State | None:
    """The state after a move; None if it is not legal."""
    try:
        return state.child(move, seat)
    except IllegalAction:
        return None


def played_on(state: State, seat: int) -> State:
    """The state when the seat's next turn begins, or the game is over, if all play like tycoons."""
    while not state.is_terminal() and not (state.table.phase == "market" and state.current_player() == seat):
        mover = state.current_player()
        for move in usual(state, mover):
            after = taken(state, mover, move)
            if after is None:
                return state
            state = after
    return state


def building(state: State, seat: int) -> Iterator[Any]:
    """What can be bought, sold, and cleaned up now: one move of each kind, on the most suitable site."""
    for offer in state.offers(seat):
        site, kind = offer.fields.get("site"), offer.fields.get("kind")
        if not isinstance(site, SiteChoice):
            continue
        if not isinstance(kind, Choice):
            yield CleanUp(site.options[0])
        elif offer.command == "SellAsset":
            yield SellAsset(kind.options[0], site.options[0])
        elif (place := _free_spot(state, site.options[0].quadrant, kind.options[0])) is not None:
            yield BuyAsset(kind.options[0], Site(site.options[0].quadrant, *place))


def _free_spot(state: State, quadrant: int, kind: str) -> Spot | None:
    return Ground(msgspec.to_builtins(quadrant_views(state.table)[quadrant].assets)).place(kind)
