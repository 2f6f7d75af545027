"""What a reader of a game sees, and what can be read off it. Nothing is hidden."""

from typing import Annotated

from msgspec import Meta, Struct

from mcmulti.domain.core.figures import PlayerId, PlayerName, Seat, Seats, Sha256
from mcmulti.domain.core.gauges import Gauges, Holding
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
    """A seat: who sits there, and what it has. `money` is all of it, in hand and at stake.

    `player` is null for an empty seat, `name` also where none is known. `pension` is the card it has,
    null before the start.
    """

    seat: Seat
    player: PlayerId | None
    name: PlayerName | None
    money: Amount
    purse: Pieces
    stake: Pieces
    pension: Card | None


class MillionenspielView(Struct, frozen=True, tag="millionenspiel", tag_field="ruleset"):
    """A game as one reader sees it. `you` is the reader's seat, null for onlookers.

    `track` has the colours of the fields, from the arrow on; the pawn stands on `field`. `roller` has the dice, null
    before the start. `throws` are those of this round that count, `decider` what the die on black showed. `at_stake`:
    who may have a million after this move.
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
    """The game as the seat sees it; None for an onlooker."""
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
        at_stake=state.at_stake,
        winners=state.winners,
        commitment=state.commitment,
        seed=state.seed,
    )


def _seen(seat: int, player: str | None, name: str | None, held: Player | None) -> PlayerView:
    if held is None:
        return PlayerView(seat, player, name, 0, NOTHING, NOTHING, None)
    return PlayerView(seat, player, name, held.money, held.purse, held.stake, held.pension)


def gauges(state: Millionenspiel) -> Gauges:
    """What everybody has, staked or not: money, and pieces of each kind."""
    return Gauges(None, tuple(_holding(seat, player) for seat, player in enumerate(state.players)))


def _holding(seat: int, player: Player) -> Holding:
    pieces = dict(zip(KINDS, (player.purse + player.stake).counts, strict=True))
    return Holding(seat, {"money": player.money, **pieces}, None)
