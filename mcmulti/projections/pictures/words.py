"""A description of a picture in words: the complete position, for those who cannot see it."""

from collections.abc import Callable, Iterator, Mapping

from mcmulti.domain.core.shown.board import Map, Ring
from mcmulti.domain.core.shown.picture import Card, Counter, Picture, Pile, Seat, Track
from mcmulti.projections.labels import PICTURE
from mcmulti.projections.pictures.words_table import grid, inside, piece, pieces, place, seat_name, space, spaces


def heading(picture: Picture) -> str:
    """The moment, in one line."""
    return " · ".join(filter(None, (picture.title, picture.subtitle, picture.result)))


def _dice(picture: Picture) -> Iterator[str]:
    if picture.dice:
        yield f"{PICTURE[picture.language].dice.capitalize()}: {dice(picture)}."


def _board(picture: Picture) -> Iterator[str]:
    match picture.board:
        case Ring() as ring:
            yield spaces(picture, ring)
            yield from (space(picture, each) for each in ring.spaces if each.pieces)
            yield from inside(picture, ring)
        case Map() as board:
            yield from (place(picture, board, number) for number in range(len(board.places)))
            yield from (f"{piece(picture, each)}." for each in board.pieces)
        case grids:
            yield from (grid(picture, each) for each in grids or ())


def seat(picture: Picture, seat: Seat) -> str:
    """A seat with its property."""
    amounts = (unit.amount(picture.number(amount)) for unit, amount in zip(picture.units, seat.amounts, strict=True))
    rank = "" if seat.rank is None else f"{seat.rank}. "
    owned = ", ".join((*amounts, *notes(picture, seat)))
    return f"{rank}{seat_name(picture, seat)}{f': {owned}' if owned else ''}."


def notes(picture: Picture, seat: Seat) -> Iterator[str]:
    """Further information about a seat."""
    if seat.waited_for:
        yield PICTURE[picture.language].moves
    yield from seat.notes


def dice(picture: Picture) -> str:
    """The results of the dice."""
    return ", ".join(f"{die.name} {die.value}" for die in picture.dice)


def track(picture: Picture, track: Track) -> str:
    """A track: its pieces, and what the next piece costs and earns."""
    return f"{track.name}: {', '.join([f'{len(track.occupied)} {track.pieces}', *prices(picture, track)])}."


def prices(picture: Picture, track: Track) -> Iterator[str]:
    """What the next piece costs and earns, or that there is no trading."""
    labels = PICTURE[picture.language]
    if track.buy is not None:
        yield f"{labels.buy} {track.buy}"
    if track.sell is not None:
        yield f"{labels.sell} {track.sell}"
    if track.closed:
        yield labels.closed


def counter(counter: Counter) -> str:
    """The value of a counter."""
    return f"{counter.name}: {counter.value}/{counter.highest}."


def card(picture: Picture, card: Card) -> str:
    """A card with its place and its text."""
    parts = filter(None, (card.name or PICTURE[picture.language].empty, *_figures(picture, card), card.note))
    return f"{card.place}: {'; '.join(parts)}."


def _figures(picture: Picture, card: Card) -> Iterator[str]:
    """The numbers of a card, by its heads, or by its rows if it has no heads."""
    for number, head in enumerate(card.heads):
        told = ((row.name, row.figures[number]) for row in card.rows)
        yield f"{head.word} {', '.join(f'{name} {figure}' for name, figure in told if figure is not None)}".strip()
    if not card.heads:
        for row in card.rows:
            yield f"{row.name} {', '.join('-' if each is None else picture.number(each) for each in row.figures)}"


def pile(picture: Picture, pile: Pile) -> str:
    """A pile in order."""
    first, last = pile.ends or ("", "")
    order = PICTURE[picture.language].ends.format(first=first, last=last) if pile.ends and pile.pieces else ""
    notes = ", ".join(filter(None, (pile.note, order)))
    return f"{pile.name}{f' ({notes})' if notes else ''}: {pieces(picture, pile.pieces)}."


DESCRIBED: Mapping[str, Callable[[Picture], Iterator[str]]] = {
    "dice": _dice,
    "board": _board,
    "seats": lambda picture: (seat(picture, each) for each in picture.seats),
    "tracks": lambda picture: (track(picture, each) for each in picture.tracks),
    "counters": lambda picture: map(counter, picture.counters),
    "cards": lambda picture: (card(picture, each) for each in picture.cards),
    "piles": lambda picture: (pile(picture, each) for each in picture.piles),
}
"""The complete position, one sentence at a time, by the field that it describes.

Sentences also depend on the language, the units, and the names of the seats.
"""


def described(picture: Picture) -> Iterator[str]:
    """The complete position, one sentence at a time."""
    for told in DESCRIBED.values():
        yield from told(picture)
