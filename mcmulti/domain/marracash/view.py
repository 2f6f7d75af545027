"""What a reader of a game sees. Nothing is hidden."""

from typing import Annotated

from msgspec import Meta, Struct

from mcmulti.domain.core.figures import Count, PlayerId, PlayerName, Seat, Seats, Sha256
from mcmulti.domain.core.table import Status
from mcmulti.domain.marracash.components import SIGNS
from mcmulti.domain.marracash.names import SHOPS, Colour, ShopName
from mcmulti.domain.marracash.state import Auction, Bazaar, Crowd, Dirham, Fountain, MarraCashSetup, Phase, Visitors
from mcmulti.domain.marracash.town import ENTRANCES, FOUNTAINS, NEIGHBOURS, colour_of


class DealerView(Struct, frozen=True):
    """A seat: who sits there, its cash, and how many signs it has left.

    `player` is null for an empty seat, `name` also where none is known.
    """

    seat: Seat
    player: PlayerId | None
    name: PlayerName | None
    cash: Dirham
    signs: Annotated[int, Meta(ge=0, le=6)]


class ShopView(Struct, frozen=True):
    """A shop: its colour, whose sign stands on it, null for nobody's, and how many customers are in it."""

    shop: ShopName
    colour: Colour
    owner: Seat | None
    customers: Visitors


class FountainView(Struct, frozen=True):
    """A fountain: whether it is an entrance, where its streets lead, and who stands there, by colour."""

    fountain: Fountain
    entrance: bool
    streets_to: Annotated[tuple[Fountain, ...], Meta(max_length=4)]
    visitors: Crowd


class MarraCashView(Struct, frozen=True, tag="marracash", tag_field="ruleset"):
    """A game as one reader sees it. `you` is the reader's seat, null for onlookers.

    `seat` is whose turn it is, the `turn` of this number in this `round`, and `actions` how many actions it has left;
    `start_player` begins every round. `queue` is from its front. `auction` is null while no shop is put up.
    `last_turns`: how many turns come after this one, null before the last round. `quiet_rounds`: how many rounds in a
    row nothing happened that `table/standstill` counts.
    """

    status: Status
    you: Seat | None
    to_move: Seats
    setup: MarraCashSetup
    seats: Annotated[tuple[DealerView, ...], Meta(max_length=4)]
    phase: Phase
    turn: Count
    round: Count
    start_player: Seat | None
    seat: Seat | None
    actions: Count
    shops: Annotated[tuple[ShopView, ...], Meta(max_length=25)]
    fountains: Annotated[tuple[FountainView, ...], Meta(max_length=16)]
    queue: Annotated[tuple[Colour, ...], Meta(max_length=45)]
    auction: Auction | None
    last_turns: Count | None
    quiet_rounds: Count
    winners: Seats
    commitment: Sha256
    seed: Sha256 | None


def view(state: Bazaar, seat: int | None) -> MarraCashView:
    """The game as the seat sees it; None for an onlooker."""
    cash = state.cash or (0,) * len(state.chairs)
    return MarraCashView(
        status=state.status,
        you=seat,
        to_move=state.to_move,
        setup=state.setup,
        seats=tuple(
            DealerView(number, player, name, cash[number], SIGNS - state.owned(number))
            for number, (player, name) in enumerate(zip(state.player_ids, state.names, strict=True))
        ),
        phase=state.phase,
        turn=state.turn,
        round=state.round,
        start_player=state.first if state.turn else None,
        seat=state.seat if state.turn and not state.winners else None,
        actions=state.left,
        shops=tuple(
            ShopView(name, colour_of(name), shop.owner, shop.customers)
            for name, shop in zip(SHOPS, state.shops, strict=True)
        ),
        fountains=tuple(
            FountainView(number, number in ENTRANCES, NEIGHBOURS[number], state.group(number)) for number in FOUNTAINS
        ),
        queue=state.queue,
        auction=state.auction,
        last_turns=state.last_turns,
        quiet_rounds=state.quiet,
        winners=state.winners,
        commitment=state.commitment,
        seed=state.seed,
    )
