"""What is to be seen in a picture of a board, in words: the whole position for those who cannot see it."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec.structs import replace

from mcmulti.domain.core.picture import (
    Card,
    Counter,
    Direction,
    Grid,
    Line,
    Map,
    Picture,
    Piece,
    Pile,
    Placed,
    Ring,
    Seat,
    Space,
    Track,
)
from mcmulti.projections.board_labels import LABELS


def heading(picture: Picture) -> str:
    """The moment in a line."""
    return " · ".join(filter(None, (picture.title, picture.subtitle, picture.result)))


def described(picture: Picture) -> Iterator[str]:
    """The whole position, a sentence at a time."""
    if picture.dice:
        yield f"{LABELS[picture.language].dice.capitalize()}: {dice(picture)}."
    yield from _board(picture)
    yield from (seat(picture, each) for each in picture.seats)
    yield from (track(picture, each) for each in picture.tracks)
    yield from (counter(each) for each in picture.counters)
    yield from (card(picture, each) for each in picture.cards)
    yield from (pile(picture, each) for each in picture.piles)


def _board(picture: Picture) -> Iterator[str]:
    match picture.board:
        case Ring() as ring:
            yield spaces(picture, ring)
            yield from (space(picture, each) for each in ring.spaces if each.pieces)
        case Map() as board:
            yield from (place(picture, board, number) for number in range(len(board.places)))
            yield from (f"{piece(picture, each)}." for each in board.pieces)
        case grids:
            yield from (grid(picture, each) for each in grids or ())


def grid(picture: Picture, grid: Grid) -> str:
    """A grid with its owner and all that stands there."""
    owned = [] if grid.owner is None else [owner(picture, grid)]
    notes = ", ".join((*owned, *(line(picture, each) for each in grid.lines)))
    standing = "; ".join(piece(picture, each, grid.owner) for each in grid.pieces)
    return f"{grid.name}{f' ({notes})' if notes else ''}: {standing or LABELS[picture.language].empty}."


def owner(picture: Picture, grid: Grid) -> str:
    """Who owns a grid; nothing if nobody can."""
    if grid.owner is None:
        return ""
    if grid.owner == "nobody":
        return LABELS[picture.language].nobody
    return seat_name(picture, picture.seats[grid.owner])


def line(picture: Picture, line: Line) -> str:
    """A line that stands out, and why."""
    return f"{LABELS[picture.language].lines[line.direction][0]} {line.number} ({line.name})"


def spaces(picture: Picture, ring: Ring) -> str:
    """The spaces of a ring, by what they are."""
    looks: dict[str, list[str]] = {}
    for each in ring.spaces:
        looks.setdefault(_look(picture, each), []).append(each.name)
    alike = "; ".join(f"{look} {', '.join(names)}".strip() for look, names in looks.items())
    return f"{ring.name}, {len(ring.spaces)} {LABELS[picture.language].spaces}: {alike}."


def place(picture: Picture, board: Map, number: int) -> str:
    """A place on a map, with what stands there and where ways lead."""
    led = {way.second if way.first == number else way.first for way in board.ways if number in (way.first, way.second)}
    names = ", ".join(board.places[each].name for each in sorted(led))
    return space(picture, board.places[number], f"{LABELS[picture.language].ways} {names}" if names else "")


def space(picture: Picture, space: Space, note: str = "") -> str:
    """A space with what stands there."""
    notes = ", ".join(filter(None, (_look(picture, space), space.marked, note)))
    return f"{space.name}{f' ({notes})' if notes else ''}: {pieces(picture, space.pieces)}."


def _look(picture: Picture, space: Space) -> str:
    """Of what kind a space is, or else of what colour."""
    if space.kind is not None:
        return space.kind.word
    return LABELS[picture.language].colours[space.colour] if space.colour else ""


def pieces(picture: Picture, pieces: Sequence[Piece], among: int | str | None = None) -> str:
    """Pieces in their order, those alike in a row counted; owners are told as by `piece`."""
    alike = groupby(pieces, lambda each: replace(each, count=1))
    counted = (replace(each, count=sum(one.count for one in ones)) for each, ones in alike)
    return "; ".join(piece(picture, each, among) for each in counted) or LABELS[picture.language].empty


def piece(picture: Picture, piece: Piece, among: int | str | None = None) -> str:
    """A piece with its place, marks and what it holds, as in ``tower, row 2, column 3, hit twice``.

    Its owner is told unless it stands `among` pieces of the same owner.
    """
    labels = LABELS[picture.language]
    count = f"{piece.count} × " if piece.count != 1 else ""
    name = f" {piece.name}" if piece.name else ""
    colour = f" ({labels.colours[piece.colour]})" if piece.colour else ""
    parts = [f"{count}{piece.kind.word}{name}{colour}"]
    if piece.owner not in (None, among):
        parts.append(seat_name(picture, picture.seats[piece.owner]))
    if isinstance(piece, Placed):
        parts.append(_span(picture, "row", piece.row, piece.rows))
        parts.append(_span(picture, "column", piece.column, piece.columns))
    parts += (mark.word for mark in piece.marks)
    if piece.holds:
        parts.append(f"{labels.holds} {pieces(picture, piece.holds)}")
    return ", ".join(parts)


def _span(picture: Picture, direction: Direction, first: int, spaces: int) -> str:
    one, several = LABELS[picture.language].lines[direction]
    return f"{one} {first}" if spaces == 1 else f"{several} {first}-{first + spaces - 1}"


def seat_name(picture: Picture, seat: Seat) -> str:
    """Who sits there."""
    return seat.name or LABELS[picture.language].free_seat


def seat(picture: Picture, seat: Seat) -> str:
    """A seat with what it owns."""
    amounts = (unit.amount(amount) for unit, amount in zip(picture.units, seat.amounts, strict=True))
    rank = "" if seat.rank is None else f"{seat.rank}. "
    return f"{rank}{seat_name(picture, seat)}: {', '.join((*amounts, *notes(picture, seat)))}."


def notes(picture: Picture, seat: Seat) -> Iterator[str]:
    """What is to be known of a seat besides."""
    if seat.waited_for:
        yield LABELS[picture.language].moves
    yield from seat.notes


def dice(picture: Picture) -> str:
    """What the dice show."""
    return ", ".join(f"{die.name} {die.value}" for die in picture.dice)


def track(picture: Picture, track: Track) -> str:
    """A track: what lies on it, and what the next piece costs and brings."""
    return f"{track.name}: {', '.join([f'{len(track.occupied)} {track.pieces}', *prices(picture, track)])}."


def prices(picture: Picture, track: Track) -> Iterator[str]:
    """What the next piece costs and brings, or that nothing is dealt."""
    labels = LABELS[picture.language]
    if track.buy is not None:
        yield f"{labels.buy} {track.buy}"
    if track.sell is not None:
        yield f"{labels.sell} {track.sell}"
    if track.closed:
        yield labels.closed


def counter(counter: Counter) -> str:
    """How far a counter has come."""
    return f"{counter.name}: {counter.value}/{counter.highest}."


def card(picture: Picture, card: Card) -> str:
    """A card with its place and what it says."""
    parts = filter(None, (card.name or LABELS[picture.language].empty, *_figures(card), card.note))
    return f"{card.place}: {'; '.join(parts)}."


def _figures(card: Card) -> Iterator[str]:
    """What a card says in figures, by its heads, or by its rows if it has none."""
    for place, head in enumerate(card.heads):
        told = ((row.name, row.figures[place]) for row in card.rows)
        yield f"{head.word} {', '.join(f'{name} {figure}' for name, figure in told if figure is not None)}".strip()
    if not card.heads:
        for row in card.rows:
            yield f"{row.name} {', '.join('-' if figure is None else str(figure) for figure in row.figures)}"


def pile(picture: Picture, pile: Pile) -> str:
    """A pile in its order."""
    note = f" ({pile.note})" if pile.note else ""
    return f"{pile.name}{note}: {pieces(picture, pile.pieces)}."
