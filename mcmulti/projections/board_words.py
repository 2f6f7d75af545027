"""What pictures of a board say in words: labels, and the whole position for those who cannot see it."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from mcmulti.domain.core.picture import Asset, Card, Colour, Counter, Direction, Field, Picture, Seat, Track
from mcmulti.domain.core.telling import Language


class Labels(Struct, frozen=True):
    """The words of the pictures themselves, whatever the game."""

    cash: str
    goods: str
    buy: str
    sell: str
    dice: str
    dies: Mapping[Colour, str]
    lines: Mapping[Direction, str]
    spans: Mapping[Direction, str]
    """Several lines."""
    hits: tuple[str, str, str]
    """Not hit, hit once, hit twice."""
    idle: str
    nobody: str
    free_seat: str
    moves: str
    declared: str
    goal: str
    in_force: str
    closed: str
    empty: str
    barrels: str
    millions: str


LABELS: Mapping[Language, Labels] = {
    "en": Labels(
        "cash",
        "barrels",
        "buy",
        "sell",
        "dice",
        {"red": "red die", "black": "black die", "green": "green die"},
        {"row": "row", "column": "column"},
        {"row": "rows", "column": "columns"},
        ("not hit", "hit once", "hit twice"),
        "idle",
        "nobody",
        "free seat",
        "to move",
        "declared victory",
        "goal",
        "in force",
        "closed",
        "empty",
        "barrels",
        "million dollars",
    ),
    "de": Labels(
        "Bargeld",
        "Fässer",
        "Kauf",
        "Verkauf",
        "Würfel",
        {"red": "roter Würfel", "black": "schwarzer Würfel", "green": "grüner Würfel"},
        {"row": "Zeile", "column": "Spalte"},
        {"row": "Zeilen", "column": "Spalten"},
        ("nicht getroffen", "einfach getroffen", "doppelt getroffen"),
        "steht still",
        "niemand",
        "freier Platz",
        "am Zug",
        "hat den Sieg erklärt",
        "Ziel",
        "in Kraft",
        "geschlossen",
        "leer",
        "Fässer",
        "Millionen Dollar",
    ),
}


def owner(picture: Picture, field: Field) -> str:
    """Who owns a field."""
    if field.owner is None:
        return LABELS[picture.language].nobody
    return seat_name(picture, picture.seats[field.owner])


def seat_name(picture: Picture, seat: Seat) -> str:
    """Who sits there."""
    return seat.name or LABELS[picture.language].free_seat


def asset(picture: Picture, asset: Asset) -> str:
    """An asset with its place, hits and state, as in ``rig, row 2, column 3, hit twice``."""
    labels = LABELS[picture.language]
    parts = [
        picture.kinds[asset.kind],
        _span(labels, "row", asset.row, asset.side),
        _span(labels, "column", asset.column, asset.side),
    ]
    if asset.hits:
        parts.append(labels.hits[asset.hits])
    if asset.idle:
        parts.append(labels.idle)
    return ", ".join(parts)


def _span(labels: Labels, direction: Direction, first: int, sites: int) -> str:
    if sites == 1:
        return f"{labels.lines[direction]} {first}"
    return f"{labels.spans[direction]} {first}-{first + sites - 1}"


def field(picture: Picture, field: Field) -> str:
    """A field with its owner and all that stands there."""
    labels = LABELS[picture.language]
    standing = "; ".join(asset(picture, each) for each in field.assets) or labels.empty
    lines = "".join(f", {labels.lines[line.direction]} {line.number} ({labels.dies[line.die]})" for line in field.lines)
    return f"{field.name} ({owner(picture, field)}{lines}): {standing}."


def track(picture: Picture, track: Track) -> str:
    """A track of prices: its barrels, and what the next one costs and brings."""
    labels = LABELS[picture.language]
    return f"{track.name}: {', '.join([f'{len(track.occupied)} {labels.barrels}', *prices(picture, track)])}."


def prices(picture: Picture, track: Track) -> Iterator[str]:
    """What the next barrel costs and brings, or that nothing is dealt."""
    labels = LABELS[picture.language]
    if track.buy is not None:
        yield f"{labels.buy} {track.buy}"
    if track.sell is not None:
        yield f"{labels.sell} {track.sell}"
    if track.closed:
        yield labels.closed


def card(picture: Picture, card: Card) -> str:
    """A card with its place and what it says."""
    labels = LABELS[picture.language]
    costs = (
        f"{picture.kinds[price.kind]} {_price(labels.buy, price.buy)}{_price(labels.sell, price.sell)}".strip(" ,")
        for price in card.prices
    )
    parts = [card.name or labels.empty, *costs, *([card.note] if card.note else [])]
    return f"{card.place}: {'; '.join(parts)}."


def _price(label: str, price: int | None) -> str:
    return "" if price is None else f"{label} {price}, "


def seat(picture: Picture, seat: Seat) -> str:
    """A seat with what it owns."""
    labels = LABELS[picture.language]
    goods = picture.goods
    parts = [
        f"{seat.cash} {labels.millions}",
        f"{goods['crude']} {seat.crude}",
        f"{goods['gasoline']} {seat.gasoline}",
        *([labels.moves] if seat.waited_for else []),
        *([labels.declared] if seat.declared else []),
    ]
    rank = "" if seat.rank is None else f"{seat.rank}. "
    return f"{rank}{seat_name(picture, seat)}: {', '.join(parts)}."


def counter(counter: Counter) -> str:
    """How far a counter has come."""
    return f"{counter.name}: {counter.value}/{counter.highest}."


def heading(picture: Picture) -> str:
    """The moment in a line."""
    return " · ".join(filter(None, (picture.title, picture.subtitle, picture.result)))


def described(picture: Picture) -> Iterator[str]:
    """The whole position, a sentence at a time."""
    labels = LABELS[picture.language]
    if picture.dice:
        shown = ", ".join(f"{labels.dies[die.colour]} {die.value}" for die in picture.dice)
        yield f"{labels.dice.capitalize()}: {shown}."
    yield from (field(picture, each) for each in picture.fields)
    yield from (seat(picture, each) for each in picture.seats)
    yield from (track(picture, each) for each in picture.tracks)
    yield from (counter(each) for each in picture.counters)
    yield from (card(picture, each) for each in picture.cards)
