"""What a reader of a game sees. Only other players' ceilings are hidden."""

from typing import Annotated

from msgspec import Meta, Struct

from mcmulti.domain.core.figures import Count, PlayerId, PlayerName, Seat, Seats, Sha256
from mcmulti.domain.core.table import Status
from mcmulti.domain.marracash.components import SHOPS, SIGNS, Colour, ShopName
from mcmulti.domain.marracash.phases.souvenirs import Cards
from mcmulti.domain.marracash.state import Auction, Bazaar, Crowd, Dirham, Fountain, MarraCashSetup, Phase, Visitors
from mcmulti.domain.marracash.town import ENTRANCES, FOUNTAINS, NEIGHBOURS, colour_of


class DealerView(Struct, frozen=True):
    """A seat: its player and property.

    `seat`: its number. `player`: the id of its player, null for an empty seat. `name`: the player's name, null also if
    no name is known. `cash`: in dirham. `signs`: how many shops it can still have.
    """

    seat: Seat
    player: PlayerId | None
    name: PlayerName | None
    cash: Dirham
    signs: Annotated[int, Meta(ge=0, le=6)]


class ShopView(Struct, frozen=True):
    """A shop.

    `shop`: the letter of its color, and a number. `colour`: its color, which is that of the visitors who enter it.
    `owner`: the seat whose sign is on it, null if it is not sold. `customers`: how many are in it.
    """

    shop: ShopName
    colour: Colour
    owner: Seat | None
    customers: Visitors


class FountainView(Struct, frozen=True):
    """A fountain.

    `fountain`: its number. `entrance`: whether new visitors come in there. `streets_to`: the fountains to which a
    street leads. `visitors`: the visitors there, by color.
    """

    fountain: Fountain
    entrance: bool
    streets_to: Annotated[tuple[Fountain, ...], Meta(max_length=4)]
    visitors: Crowd


class MarraCashView(Struct, frozen=True, tag="marracash", tag_field="ruleset"):
    """A game of MarraCash as one reader sees it.

    `status`: whether it is open, running, or finished. `you`: the reader's seat, null for spectators. `to_move`: the
    seats the game waits for, before the start those that have not agreed to it. `setup`: what was agreed on when the
    table was opened. `seats`: the players and their property. `phase`: the current part of the turn. `turn`: the number
    of the turn, from 1; 0 before the first. `round`: the number of the round, from 1; 0 before the first.
    `start_player`: the seat that begins every round, null before the start. `seat`: the seat whose turn it is, null for
    none. `actions`: how many actions this turn has left. `shops`: every shop of the town. `fountains`: every fountain
    of the town. `queue`: the colors of those who wait outside, from the front on. `auction`: the shop that is up for
    auction, null for none. `ceilings`: the seats that have set a ceiling for this auction (`auction/ceiling`).
    `your_ceiling`: the reader's own, in dirham, null for none. `last_turns`: how many turns come after this one, null
    before the last round. `quiet_rounds`: how many rounds in a row nothing happened that keeps the game going
    (`table/standstill`).

    `souvenirs`: the open cards (`souvenirs/open`). `unseen_souvenirs`: how many cards have not been open yet; 0 if the
    game is played without them.

    `winners`: the seats that won, empty until the game is over, and if it was called off. `commitment`: the SHA-256 of
    the secret seed. `seed`: the secret seed that all draws come from, null until the game is over.
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
    souvenirs: Cards
    unseen_souvenirs: Annotated[int, Meta(ge=0, le=25)]
    auction: Auction | None
    ceilings: Seats
    your_ceiling: Dirham | None
    last_turns: Count | None
    quiet_rounds: Count
    winners: Seats
    commitment: Sha256
    seed: Sha256 | None


def view(state: Bazaar, seat: int | None) -> MarraCashView:
    """The game as the seat sees it; None for a spectator."""
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
        souvenirs=state.souvenirs,
        unseen_souvenirs=0 if state.setup.souvenirs == "none" else len(state.unseen),
        auction=state.auction,
        ceilings=tuple(number for number, most in enumerate(state.ceilings) if most is not None),
        your_ceiling=None if seat is None else state.ceiling(seat),
        last_turns=state.last_turns,
        quiet_rounds=state.quiet,
        winners=state.winners,
        commitment=state.commitment,
        seed=state.seed,
    )
