"""What a reader of a fair sees, and its figures."""

from typing import Annotated

from msgspec import Meta, Struct

from mcmulti.domain.core.figures import PlayerId, PlayerName, Seat, Seats, Sha256
from mcmulti.domain.core.shown.gauges import Gauges, Holding
from mcmulti.domain.core.table import Status
from tests.toy.fair.state import Day, Fair, Florins, Sacks, Setup


class TraderView(Struct, frozen=True):
    """A seat: who sits there, and what it has. `player` is null for nobody, `name` also where none is known."""

    seat: Seat
    player: PlayerId | None
    name: PlayerName | None
    purse: Florins
    store: Sacks


class WoolFairView(Struct, frozen=True, tag="wool_fair", tag_field="ruleset"):
    """A fair as one reader sees it. `you` is the reader's seat, null for spectators; `price` that of a sack."""

    status: Status
    you: Seat | None
    to_move: Seats
    setup: Setup
    seats: Annotated[tuple[TraderView, ...], Meta(max_length=5)]
    day: Day
    price: Florins
    winners: Seats
    commitment: Sha256
    seed: Sha256 | None


def view(state: Fair, seat: int | None) -> WoolFairView:
    """The fair as the seat sees it; None for a spectator. Nothing is hidden."""
    has = [(trader.florins, trader.wool) for trader in state.traders] or [(0, 0)] * len(state.chairs)
    return WoolFairView(
        status=state.status,
        you=seat,
        to_move=state.to_move,
        setup=state.setup,
        seats=tuple(
            TraderView(seat, player, name, *has[seat])
            for seat, (player, name) in enumerate(zip(state.player_ids, state.names, strict=True))
        ),
        day=state.day,
        price=state.price,
        winners=state.winners,
        commitment=state.commitment,
        seed=state.seed,
    )


def gauges(state: Fair) -> Gauges:
    """What everybody has, and what a sack costs."""
    holdings = tuple(
        Holding(seat, {"florins": trader.florins, "wool": trader.wool}, trader.florins + trader.wool * state.price)
        for seat, trader in enumerate(state.traders)
    )
    return Gauges(None, holdings, {"sack": state.price if state.traders else None})


def fetches(state: Fair) -> dict[str, int]:
    """The value of a sack."""
    return {"wool": state.price} if state.traders else {}
