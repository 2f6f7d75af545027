"""A picture of the town: shops with owners and customers, groups at fountains, the queue, an auction."""

from functools import partial
from itertools import groupby, pairwise

from mcmulti.domain.core.shown.board import Kind, Map, Piece, Place, Placed, Way
from mcmulti.domain.core.shown.picture import Card, Picture, Pile, Row, Said, Seat, Unit, called, result, seated
from mcmulti.domain.core.wording.telling import Language, word
from mcmulti.domain.marracash.components import ENDS, SHOPS, SIGNS
from mcmulti.domain.marracash.phrases import Phrases
from mcmulti.domain.marracash.state import Bazaar
from mcmulti.domain.marracash.town import COLUMNS, ENTRANCES, FOUNTAINS, ROWS, STREETS, Square, colour_of, spots_of


def picture(state: Bazaar, language: Language) -> Picture:
    """The town at one moment."""
    said = partial(word, Phrases.WORDS, language)
    started = bool(state.turn)
    return Picture(
        language=language,
        title=_title(state, said),
        subtitle=called(state, said, state.seat) if started and not state.winners else "",
        units=tuple(Unit(said(name), f"{{}} {said(name)}") for name in ("dirham", "customers", "signs")),
        seats=_seats(state, said),
        board=Map(said("town"), ROWS, COLUMNS, _places(state, said), _WAYS, _shops(state, said)),
        kinds=(_shop(said), _customer(said), *(_fountain(said, entrance=entrance) for entrance in (False, True))),
        cards=(*_auction(state, said), *_souvenirs(state, said)) if started else (),
        piles=(_queue(state, said),) if started else (),
        result=result(state, said, state.winners),
    )


def _title(state: Bazaar, said: Said) -> str:
    if state.winners:
        return said("game_over")
    phase = said(state.phase)
    return f"{said('round').capitalize()} {state.round} · {phase}" if state.turn else phase.capitalize()


def _shop(said: Said) -> Kind:
    return Kind(said("shop"), "#", "shop")


def _customer(said: Said) -> Kind:
    return Kind(said("visitor"), "c", "person")


def _fountain(said: Said, *, entrance: bool) -> Kind:
    return Kind(said("entrance"), "O", "gate") if entrance else Kind(said("fountain"), "o", "fountain")


def _seats(state: Bazaar, said: Said) -> tuple[Seat, ...]:
    """All seats; before the start only occupied ones. At the end, ordered by cash."""
    names = seated(state, said)
    if not state.cash:
        return tuple(Seat(seat, name, (0, 0, 0)) for seat, name in enumerate(names))
    waited_for = state.to_move
    return tuple(
        Seat(
            seat,
            name,
            (state.cash[seat], state.customers(seat), SIGNS - state.owned(seat)),
            seat in waited_for,
            (said("start_player"),) if state.turn and seat == state.first else (),
            1 + sum(cash > state.cash[seat] for cash in state.cash) if state.winners else None,
        )
        for seat, name in enumerate(names)
    )


def _places(state: Bazaar, said: Said) -> tuple[Place, ...]:
    return tuple(
        Place(
            str(number),
            _fountain(said, entrance=number in ENTRANCES),
            "beige" if number in ENTRANCES else None,
            tuple(Piece(_customer(said), colour=colour, count=count) for colour, count in state.group(number)),
            picks=(f"fountain={number}", f"to={number}", *([f"entrance={number}"] if number in ENTRANCES else [])),
            row=row,
            column=column,
        )
        for number, (row, column) in FOUNTAINS.items()
    )


def _bends(path: tuple[Square, ...]) -> tuple[Square, ...]:
    """The squares where a path turns."""
    return tuple(
        here
        for (before, here), (_, after) in pairwise(pairwise(path))
        if before[0] != after[0] and before[1] != after[1]
    )


_WAYS = tuple(
    Way(start - 1, to - 1, _bends(street.path)) for (start, to), street in sorted(STREETS.items()) if start < to
)


def _shops(state: Bazaar, said: Said) -> tuple[Placed, ...]:
    """All shops, with the customers in the sold ones."""
    shops = []
    for name, shop in zip(SHOPS, state.shops, strict=True):
        (row, column), (last_row, last_column) = spots_of(name)[0], spots_of(name)[-1]
        colour = colour_of(name)
        inside = (Piece(_customer(said), colour=colour, count=shop.customers),) if shop.customers else ()
        shops.append(
            Placed(
                _shop(said),
                shop.owner,
                colour,
                name,
                holds=inside,
                picks=(f"shop={name}",),
                row=row,
                column=column,
                rows=last_row - row + 1,
                columns=last_column - column + 1,
            )
        )
    return tuple(shops)


def _auction(state: Bazaar, said: Said) -> tuple[Card, ...]:
    """The shop that is up for auction, the highest bid, and its bidder."""
    auction = state.auction
    if auction is None:
        return ()
    bidder, bid = called(state, said, auction.bidder), Row(said("bid"), (auction.bid,))
    return (Card(said("bidding"), auction.shop, rows=(bid,), note=bidder, in_force=True),)


def _souvenirs(state: Bazaar, said: Said) -> tuple[Card, ...]:
    """The open souvenirs, and what each brings."""
    return tuple(
        Card(said("souvenir"), said(card.colour), rows=(Row(said("dirham"), (card.dirham,)),))
        for card in state.souvenirs
    )


def _queue(state: Bazaar, said: Said) -> Pile:
    """The visitors outside, from the front; neighbors of one color are combined."""
    runs = [(colour, len(list(run))) for colour, run in groupby(state.queue)]
    pieces = tuple(
        Piece(_customer(said), colour=colour, count=count, picks=_end(number, len(runs)))
        for number, (colour, count) in enumerate(runs)
    )
    front, back = ENDS
    return Pile(said("queue"), pieces, str(len(state.queue)), (said(front), said(back)))


def _end(number: int, runs: int) -> tuple[str, ...]:
    """The ends of the queue at which a run of visitors stands, by its number from the front."""
    return tuple(f"end={end}" for end, run in zip(ENDS, (0, runs - 1), strict=True) if run == number)
