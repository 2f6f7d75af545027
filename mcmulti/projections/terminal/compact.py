"""The board for a small terminal: the same picture in fewer lines. Sentences fill the room around the board."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from mcmulti.domain.core.shown.board import Colour, Map, Piece, Ring, Space
from mcmulti.domain.core.shown.picture import Picture, Track
from mcmulti.projections.labels import PICTURE
from mcmulti.projections.pictures import words
from mcmulti.projections.pictures.fit import in_cells, lines_in_cells
from mcmulti.projections.pictures.words import inside, pieces, seat_name, spaces
from mcmulti.projections.terminal import panels
from mcmulti.projections.terminal.parts import BESIDE, board, legend, side_by_side
from mcmulti.projections.terminal.pieces import SPACE

_GAP = 1


class _Room(NamedTuple):
    """Room for sentences: how many columns and lines, and the lines that are taken."""

    width: int
    lines: int
    filled: list[str]


def compact(picture: Picture, width: int, height: int) -> Text:
    """The picture in few lines; without what explains its signs if that makes more than `height`."""
    shown = board(picture, names=False)
    taken = max((line.cell_len for line in shown), default=-_GAP) + _GAP
    is_wide = width - taken < BESIDE
    beside = list(_beside(picture, width if is_wide else width - taken))
    lines = len(shown) + len(beside) if is_wide else max(len(shown), len(beside))
    top, more = _top(picture, width)
    explained = _explained(picture)
    for together in (False, True):
        rooms = [_within(picture, shown), _Room(width - taken, 0 if is_wide else lines - len(beside), [])]
        rest = _filled([*more, *_facts(picture, together), *explained], rooms)
        below = _flowing([sentence for sentence in rest if sentence not in explained], width)
        if len(below) < height - lines:
            break
    if len(all_of_it := _flowing(rest, width)) < height - lines:
        below = all_of_it
    for number, line in enumerate(rooms[0].filled, start=1):
        shown[number] = Text.assemble(shown[number][:SPACE], f" {line:<{rooms[0].width + 1}}", shown[number][-SPACE:])
    beside += map(Text, rooms[1].filled)
    parts = [*shown, *beside] if is_wide else side_by_side(shown, beside, taken)
    return Text("\n", no_wrap=True).join([Text(top, "bold"), *parts, *map(Text, below)])


def _top(picture: Picture, width: int) -> tuple[str, list[str]]:
    """The first line: the moment, with dice and counters if there is room. Those without room, a sentence each."""
    drawn = isinstance(picture.board, tuple) and any(grid.lines for grid in picture.board)
    dice = [f"{words.dice(picture)}."] if picture.dice and not drawn else []
    line, rest = words.heading(picture), []
    for sentence in (*dice, *map(words.counter, picture.counters)):
        longer = f"{line} · {sentence[:-1]}"
        if cell_len(longer) <= width:
            line = longer
        else:
            rest.append(sentence)
    return in_cells(line, width), rest


def _within(picture: Picture, shown: list[Text]) -> _Room:
    """The room inside a ring."""
    if not isinstance(picture.board, Ring):
        return _Room(0, 0, [])
    return _Room(shown[0].cell_len - 2 * SPACE - 2, len(shown) - 2, [])


def _beside(picture: Picture, width: int) -> Iterator[Text]:
    """Seats, cards with a table, and tracks."""
    yield from panels.short_seats(picture, width)
    for card in picture.cards:
        if card.heads:
            yield from panels.card(picture, card, width)
    yield from (_track(picture, track, width) for track in picture.tracks)


def _track(picture: Picture, track: Track, width: int) -> Text:
    """How many values are occupied, the prices, and the marked values next to those that are occupied."""
    told = PICTURE[picture.language].closed if track.closed else " · ".join(words.prices(picture, track))
    figures = f"{len(track.occupied)}/{len(track.values)} {told}"
    if track.occupied and track.marked:
        before = [each for each in track.marked if each < track.occupied[0]][-1:]
        after = [each for each in track.marked if each > track.occupied[-1]][:1]
        figures += f" ¦ {', '.join(map(str, (*before, *after)))}"
    name = in_cells(track.name, max(width - cell_len(figures) - 1, 1))
    return Text.assemble((name, "dim"), " ", (in_cells(figures, width - cell_len(name) - 1), "bold"))


def _facts(picture: Picture, together: bool) -> Iterator[str]:
    """What is not drawn, a sentence each; one for all cards of a place if `together`."""
    for place, cards in groupby((card for card in picture.cards if not card.heads), attrgetter("place")):
        told = [words.card(picture, card).removeprefix(f"{place}: ")[:-1] for card in cards]
        yield from (f"{place}: {each}." for each in ([", ".join(told)] if together else told))
    for seat in picture.seats:
        if seat.notes:
            yield f"{seat_name(picture, seat)}: {', '.join(seat.notes)}."
    if isinstance(picture.board, Map):
        yield from (_on(picture, place) for place in picture.board.places if place.pieces)
    if isinstance(picture.board, Ring):
        yield from (_on(picture, each) for each in picture.board.spaces if each.pieces)
        yield from inside(picture, picture.board)
    for pile in picture.piles:
        yield f"{pile.name}{f' ({pile.note})' if pile.note else ''}: {_coloured(picture, pile.pieces)}."


def _on(picture: Picture, space: Space) -> str:
    """A space with its pieces."""
    return f"{space.name}: {_coloured(picture, space.pieces)}."


def _coloured(picture: Picture, among: Sequence[Piece]) -> str:
    """Pieces in order, by the first letters of their colors if they have nothing else."""
    if not among or not all(map(_is_plain, among)):
        return pieces(picture, among)
    letters = _letters(picture)
    runs = ((colour, sum(piece.count for piece in run)) for colour, run in groupby(among, lambda each: each.colour))
    return " ".join(f"{count if count > 1 else ''}{letters[colour]}" for colour, count in runs if colour)


def _is_plain(piece: Piece) -> bool:
    return piece.colour is not None and piece.owner is None and not (piece.name or piece.marks or piece.holds)


def _letters(picture: Picture) -> dict[Colour, str]:
    """The shortest beginnings of the names of colors that tell those in use apart."""
    lying = (*picture.lying, *(piece for pile in picture.piles for piece in pile.pieces))
    said = PICTURE[picture.language].said
    used = {piece.colour: said[piece.colour] for piece in lying if piece.colour and _is_plain(piece)}
    return {colour: _beginning(word, [*used.values()]) for colour, word in used.items()}


def _beginning(word: str, others: list[str]) -> str:
    """The shortest beginning of a word that no other word has."""
    lengths = range(1, len(word))
    return next((word[:each] for each in lengths if sum(other.startswith(word[:each]) for other in others) == 1), word)


def _explained(picture: Picture) -> list[str]:
    """What letters and signs mean."""
    said = PICTURE[picture.language].said
    letters = ", ".join(f"{letter} {said[colour]}" for colour, letter in _letters(picture).items())
    ring = [spaces(picture, picture.board)] if isinstance(picture.board, Ring) else []
    return [f"{each}." for each in (letters, *legend(picture)) if each] + ring


def _filled(sentences: Sequence[str], rooms: Sequence[_Room]) -> list[str]:
    """Write each sentence in the first room that it fits in. Returns those that fit in none."""
    rest = []
    for sentence in sentences:
        for room in rooms:
            more = lines_in_cells(sentence, room.width) if room.lines else []
            if more and len(room.filled) + len(more) <= room.lines:
                room.filled.extend(more)
                break
        else:
            rest.append(sentence)
    return rest


def _flowing(sentences: Sequence[str], width: int) -> list[str]:
    """Sentences as one paragraph."""
    return lines_in_cells(" ".join(sentences), width) if sentences else []
