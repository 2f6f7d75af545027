"""Situations in the rulebook's terms, and what follows from a move in them."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from mcmulti.domain.core.chance import Draw
from mcmulti.domain.core.commands import StartGame, TakeSeat
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.offers import Offer, Rejection
from mcmulti.domain.core.table import presented
from mcmulti.domain.millionenspiel import RULESET
from mcmulti.domain.millionenspiel.components import Card
from mcmulti.domain.millionenspiel.phases.throwing import AcceptThrow
from mcmulti.domain.millionenspiel.pieces import NOTHING, Pieces
from mcmulti.domain.millionenspiel.state import Millionenspiel, Phase, Player, Setup, Throw
from tests.scripted_chance import ScriptedChance

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve")
CALLED = {f"player-{seat}": name for seat, name in enumerate(NAMES)}
BLUE, BEIGE, BLACK, YELLOW, GREEN, RED = 3, 4, 7, 15, 29, 43
"""A field of each color, counted from the arrow."""


def table(seats: int = 3, taken: int | None = None) -> Millionenspiel:
    """A table before the start, with players on every seat or on this many."""
    opened = RULESET.open("game", Setup(seats=seats), ScriptedChance())
    assert not isinstance(opened, Rejection)
    state = presented(opened.state, CALLED)
    for seat in range(seats if taken is None else taken):
        state = after(state, None, TakeSeat(f"player-{seat}", seat))
    return state


def started(seats: int = 3, dice: Sequence[int] = (6, 5, 1, 1, 1, 2)) -> Millionenspiel:
    """A game that has just begun. `dice`: two for each seat, in order. Ada has the dice unless given."""
    return after(table(seats), 0, StartGame(), dice)


def situation(
    purses: Mapping[int, Pieces],
    stakes: Mapping[int, Pieces] | None = None,
    *,
    seats: int = 3,
    phase: Phase = "staking",
    waiting: tuple[int, ...] = (),
    pensions: Mapping[int, Card] | None = None,
    roller: int = 0,
    **changes: Any,
) -> Millionenspiel:
    """A moment of a game with these pieces in hands and on the board. Other seats have nothing, and cards of 5."""
    players = tuple(
        Player(purses.get(seat, NOTHING), (pensions or {}).get(seat, 5), (stakes or {}).get(seat, NOTHING))
        for seat in range(seats)
    )
    return replace(
        table(seats),
        phase=phase,
        players=players,
        round=1,
        roller=roller,
        waiting=waiting,
        staked=bool(stakes),
        **changes,
    )


def landing(field: int, purses: Mapping[int, Pieces], stakes: Mapping[int, Pieces], **changes: Any) -> Millionenspiel:
    """All have staked; a 1 and a 2 were thrown, three steps before this field."""
    changes = {"pawn": field - 3, "throws": (throw(1, 2),), **changes}
    return situation(purses, stakes, phase="declining", **changes)


def throw(first: int, second: int) -> Throw:
    """Two dice that show this."""
    return Throw(Draw(1, 6, first), Draw(2, 6, second))


def settled(state: Millionenspiel, *dice: int) -> tuple[Millionenspiel, list[Event]]:
    """What follows when the roller accepts the throw, and the events. `dice`: what is thrown after it."""
    return happened(state, state.roller, AcceptThrow(), dice)


def happened(
    state: Millionenspiel, seat: int | None, command: Struct, dice: Sequence[int] = ()
) -> tuple[Millionenspiel, list[Event]]:
    """The state after a command, and the events. All these dice are thrown."""
    chance = ScriptedChance(dice)
    decision = RULESET.decide(state, seat, command, chance)
    assert not isinstance(decision, Rejection), decision
    assert chance.unused == ()
    return decision.state, [fact.event for fact in decision.facts]


def after(state: Millionenspiel, seat: int | None, command: Struct, dice: Sequence[int] = ()) -> Millionenspiel:
    """The state after a command."""
    return happened(state, seat, command, dice)[0]


def refused(state: Millionenspiel, seat: int | None, command: Struct) -> Rejection:
    """Why a command is refused."""
    rejection = RULESET.decide(state, seat, command, ScriptedChance())
    assert isinstance(rejection, Rejection), rejection
    return rejection


def offered(state: Millionenspiel, seat: int, command: str) -> list[Offer]:
    """The offers of a command."""
    return [offer for offer in RULESET.offers(state, seat) if offer.command == command]


def of(events: Sequence[Event], kind: type[Any]) -> list[Any]:
    """The events of a type."""
    return [event for event in events if isinstance(event, kind)]


def hands(state: Millionenspiel) -> list[Pieces]:
    """What everybody has in hand."""
    return [player.purse for player in state.players]


def money(state: Millionenspiel) -> list[int]:
    """What everybody has, staked or not."""
    return [player.money for player in state.players]
