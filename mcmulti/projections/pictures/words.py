"""A description of a picture in words: the complete position, for those who cannot see it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from operator import attrgetter

from msgspec.structs import replace

from mcmulti.domain.core.shown.board import Direction, Grid, Line, Map, Piece, Placed, Ring, Space
from mcmulti.domain.core.shown.picture import Card, Counter, Picture, Pile, Seat, Track
from mcmulti.domain.core.wording.telling import Language
from mcmulti.projections.labels import PICTURE


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
    owned = ", ".join((*amounts, *notes(picture, seat)))
    return f"{seat_name(picture, seat, ranked=True)}{f': {owned}' if owned else ''}."


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


def grid(picture: Picture, grid: Grid) -> str:
    """A grid with its owner and all its pieces."""
    owned = [] if grid.owner is None else [owner(picture, grid)]
    notes = ", ".join((*owned, *(line(picture, each) for each in grid.lines)))
    standing = "; ".join(piece(picture, each, grid.owner) for each in grid.pieces)
    return f"{grid.name}{f' ({notes})' if notes else ''}: {standing or PICTURE[picture.language].empty}."


def owner(picture: Picture, grid: Grid) -> str:
    """The owner of a grid; empty if it cannot have one."""
    if grid.owner is None:
        return ""
    if grid.owner == "nobody":
        return PICTURE[picture.language].nobody
    return seat_name(picture, picture.seats[grid.owner])


def line(picture: Picture, line: Line) -> str:
    """A line that stands out, and why."""
    return f"{PICTURE[picture.language].said[line.direction]} {line.number} ({line.name})"


def spaces(picture: Picture, ring: Ring) -> str:
    """The spaces of a ring, by kind."""
    looks: dict[str, list[str]] = {}
    for each in ring.spaces:
        looks.setdefault(_look(picture, each), []).append(each.name)
    alike = "; ".join(f"{look} {', '.join(names)}".strip() for look, names in looks.items())
    return f"{ring.name}, {len(ring.spaces)} {PICTURE[picture.language].spaces}: {alike}."


def inside(picture: Picture, ring: Ring) -> Iterator[str]:
    """The contents of a ring's center, one sentence per owner."""
    if ring.middle is None:
        return
    if not ring.middle.pieces:
        yield space(picture, ring.middle)
    for owner, owned in groupby(ring.middle.pieces, attrgetter("owner")):
        note = "" if owner is None else seat_name(picture, picture.seats[owner])
        yield f"{ring.middle.name}{f' ({note})' if note else ''}: {pieces(picture, tuple(owned), owner)}."


def place(picture: Picture, board: Map, number: int) -> str:
    """A place on a map, with its pieces and its ways."""
    led = {way.second if way.first == number else way.first for way in board.ways if number in (way.first, way.second)}
    names = ", ".join(board.places[each].name for each in sorted(led))
    return space(picture, board.places[number], f"{PICTURE[picture.language].ways} {names}" if names else "")


def space(picture: Picture, space: Space, note: str = "") -> str:
    """A space with its pieces."""
    notes = ", ".join(filter(None, (_look(picture, space), space.marked, note)))
    return f"{space.name}{f' ({notes})' if notes else ''}: {pieces(picture, space.pieces)}."


def _look(picture: Picture, space: Space) -> str:
    """The kind of a space, or else its color."""
    if space.kind is not None:
        return space.kind.word
    return PICTURE[picture.language].said[space.colour] if space.colour else ""


def pieces(picture: Picture, pieces: Sequence[Piece], among: int | str | None = None) -> str:
    """Pieces in order, with identical neighbors counted; owners as in `piece`."""
    alike = groupby(pieces, lambda each: replace(each, count=1))
    counted = (replace(each, count=sum(one.count for one in ones)) for each, ones in alike)
    return "; ".join(piece(picture, each, among) for each in counted) or PICTURE[picture.language].empty


def piece(picture: Picture, piece: Piece, among: int | str | None = None) -> str:
    """A piece with its place, marks, and contents, such as ``tower, row 2, column 3, hit twice``.

    Its owner is named unless it is `among` pieces of the same owner.
    """
    labels = PICTURE[picture.language]
    count = f"{piece.count} × " if piece.count != 1 else ""
    name = f" {piece.name}" if piece.name else ""
    colour = f" ({labels.said[piece.colour]})" if piece.colour else ""
    parts = [f"{count}{piece.kind.word}{name}{colour}"]
    if piece.owner not in (None, among):
        parts.append(seat_name(picture, picture.seats[piece.owner]))
    if isinstance(piece, Placed):
        parts.append(_span(picture.language, "row", piece.row, piece.rows))
        parts.append(_span(picture.language, "column", piece.column, piece.columns))
    parts += (mark.word for mark in piece.marks)
    if piece.holds:
        parts.append(f"{labels.holds} {pieces(picture, piece.holds)}")
    return ", ".join(parts)


def spot(picture: Picture, row: int, column: int) -> str:
    """The position of a space in a grid."""
    return f"{_span(picture.language, 'row', row, 1)}, {_span(picture.language, 'column', column, 1)}"


@lru_cache(maxsize=1024)
def _span(language: Language, direction: Direction, first: int, spaces: int) -> str:
    labels = PICTURE[language].said
    one, several = labels[direction], labels[f"{direction}s"]
    return f"{one} {first}" if spaces == 1 else f"{several} {first}-{first + spaces - 1}"


def seat_name(picture: Picture, seat: Seat, *, ranked: bool = False) -> str:
    """The name of a seat's player, after the rank if that is wanted and known."""
    rank = "" if seat.rank is None or not ranked else f"{seat.rank}. "
    return rank + (seat.name or PICTURE[picture.language].free_seat)
