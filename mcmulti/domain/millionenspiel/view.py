"""The view and the gauges of a game. Nothing is hidden."""

from typing import Annotated

from msgspec import Meta, Struct

from mcmulti.domain.core.figures import PlayerId, PlayerName, Seat, Seats, Sha256
from mcmulti.domain.core.shown.gauges import Gauges, Holding
from mcmulti.domain.core.table import Status
from mcmulti.domain.millionenspiel.components import TRACK, Card, Colour
from mcmulti.domain.millionenspiel.pieces import KINDS, NOTHING, Pieces
from mcmulti.domain.millionenspiel.state import (
    Amount,
    FieldNumber,
    Millionenspiel,
    Phase,
    Player,
    Round,
    Setup,
    Throw,
)

Die = Annotated[int, Meta(ge=1, le=6)]


class PlayerView(Struct, frozen=True):
    """A seat: its player and property.

    `seat`: its number. `player`: the id of its player, null for an empty seat. `name`: the player's name, null also if
    no name is known. `money`: all of it, in hand and at stake. `purse`: the pieces in hand. `stake`: the pieces at
    stake. `pension`: the pension card, by the amount it pays, null before the start.
    """

    seat: Seat
    player: PlayerId | None
    name: PlayerName | None
    money: Amount
    purse: Pieces
    stake: Pieces
    pension: Card | None


class MillionenspielView(Struct, frozen=True, tag="millionenspiel", tag_field="ruleset"):
    """A game as one reader sees it.

    `status`: whether it is open, running, or finished. `you`: the reader's seat, null for spectators. `to_move`: the
    seats the game waits for, before the start those that have not agreed to it. `setup`: what was agreed on when the
    table was opened. `seats`: the players and their property. `phase`: the current part of the round. `round`: the
    number of the round, from 1; 0 before the first. `roller`: the seat that has the dice, null before the start.
    `track`: the colors of the fields, from the arrow on. `field`: the pawn's field, from 0, which has the arrow.
    `colour`: the color of that field. `throws`: the throws of this round that count, in order. `decider`: the result of
    the die on black, null if none was thrown. `at_stake`: the seats that can still have a million in this round.

    `winners`: the seats that won, empty until the game is over, and if it was called off. `commitment`: the SHA-256 of
    the secret seed. `seed`: the secret seed that all draws come from, null until the game is over.
    """

    status: Status
    you: Seat | None
    to_move: Seats
    setup: Setup
    phase: Phase
    round: Round
    seats: Annotated[tuple[PlayerView, ...], Meta(max_length=5)]
    roller: Seat | None
    track: Annotated[tuple[Colour, ...], Meta(max_length=56)]
    field: FieldNumber
    colour: Colour
    throws: tuple[Throw, ...]
    decider: Die | None
    at_stake: Seats
    winners: Seats
    commitment: Sha256
    seed: Sha256 | None


def view(state: Millionenspiel, seat: int | None) -> MillionenspielView:
    """The game as the seat sees it; None for a spectator."""
    held: tuple[Player | None, ...] = state.players or (None,) * len(state.chairs)
    seated = enumerate(zip(state.player_ids, state.names, held, strict=True))
    return MillionenspielView(
        status=state.status,
        you=seat,
        to_move=state.to_move,
        setup=state.setup,
        phase=state.phase,
        round=state.round,
        seats=tuple(_seen(number, *who) for number, who in seated),
        roller=state.roller if state.players else None,
        track=TRACK,
        field=state.pawn,
        colour=state.colour,
        throws=state.throws,
        decider=state.decider,
        at_stake=state.in_reach,
        winners=state.winners,
        commitment=state.commitment,
        seed=state.seed,
    )


def _seen(seat: int, player: str | None, name: str | None, held: Player | None) -> PlayerView:
    if held is None:
        return PlayerView(seat, player, name, 0, NOTHING, NOTHING, None)
    return PlayerView(seat, player, name, held.money, held.purse, held.stake, held.pension)


def gauges(state: Millionenspiel) -> Gauges:
    """Everybody's property, staked or not: money, and pieces of each kind."""
    return Gauges(None, tuple(_holding(seat, player) for seat, player in enumerate(state.players)))


def _holding(seat: int, player: Player) -> Holding:
    pieces = dict(zip(KINDS, (player.purse + player.stake).counts, strict=True))
    return Holding(seat, {"money": player.money, **pieces}, None)
