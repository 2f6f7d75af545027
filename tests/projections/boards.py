"""Pictures made by hand, of games that do not exist: a ring, a town, a game without a board, other fields."""

from itertools import pairwise

from mcmulti.domain.core.shown.board import Colour, Grid, Kind, Map, Piece, Place, Placed, Ring, Space, Way
from mcmulti.domain.core.shown.picture import Card, Counter, Die, Picture, Pile, Row, Seat, Track, Unit

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn")

NASTY = (
    "<b>&\"'</b>",
    "]]><script>alert(1)</script>",
    "\x00\x07\x1b[31m\u202eevil\ufffe\ud7ff",
    "W" * 40,
    "\N{OIL DRUM}\N{VARIATION SELECTOR-16}\N{ROCKET}" * 13,
    "\N{CJK UNIFIED IDEOGRAPH-6CB9}" * 40,
    "a" + "\N{COMBINING ACUTE ACCENT}" * 39,
    "\n\t \u3000x",
)
"""Names that people might type."""

WELL = Kind("oil well", "W", "drop")
OTHER = Picture(
    language="en",
    title="Round 3",
    subtitle="orders are sealed",
    units=(Unit("cash", "{} dollars"), Unit("crude oil", "crude oil {}"), Unit("petrol", "petrol {}")),
    seats=tuple(Seat(index, name, (40, 1, 2), waited_for=index > 1) for index, name in enumerate(NAMES[:4])),
    board=tuple(
        Grid(
            name=name,
            rows=6,
            columns=6,
            across=across,
            down=down,
            owner=index,
            pieces=(Placed(WELL, index, row=6, column=index + 1),),
        )
        for index, (name, across, down) in enumerate(
            (("Alaska", 0, 0), ("Texas", 1, 0), ("Brunei", 0, 1), ("Norway", 1, 1)),
        )
    ),
    kinds=(WELL,),
    tracks=(
        Track(
            "London crude",
            "brown",
            tuple(range(3, 81, 3)),
            "barrels",
            occupied=tuple(range(12, 81, 3)),
            buy=12,
            sell=9,
        ),
        Track("New York petrol", "yellow", tuple(range(5, 131, 5)), "barrels", sell=130),
    ),
    cards=(Card("climate", "Mild"),),
)
"""Four fields of another game. The prices: 26 from 3 to 78, and 26 from 5 to 130."""

PAWN = Kind("pawn", "P", "pawn")
NOTES = {value: Kind(str(value), "$", "note") for value in (1000, 10000)}
CHIPS = {value: Kind(str(value), "o", "coin") for value in (1, 10, 100)}
_SECTOR: tuple[Colour | None, ...] = (*("black", None, "beige", None, "beige", None, "beige"),) * 2
"""The fields of a sector. Fields without a color here have the sector's."""


def _fields() -> tuple[Space, ...]:
    """Four sectors of fourteen fields. The pawn is on 9, and six players have staked there or elsewhere."""
    sectors: tuple[Colour, ...] = ("blue", "yellow", "green", "red")
    colors = [each or sector for sector in sectors for each in _SECTOR]
    staked = {
        9: tuple(Piece(CHIPS[100], seat, count=seat + 1) for seat in range(6)),
        20: (Piece(NOTES[1000], 0, count=2), Piece(CHIPS[10], 0), Piece(NOTES[10000], 4)),
        43: (Piece(CHIPS[1], 5, count=12),),
    }
    return tuple(
        Space(
            str(number) if number else "→",
            colour=color,
            pieces=(*((Piece(PAWN),) if number == 9 else ()), *staked.get(number, ())),
            marked="the pawn came here" if number == 9 else "",
        )
        for number, color in enumerate(colors)
    )


RING = Picture(
    language="en",
    title="Round 12 · settlement",
    subtitle="It is about the million",
    units=(
        Unit("total", "{} in all"),
        *(Unit(str(value), f"{{}} × {value}") for value in (1, 10, 100, 1000, 10000, 100000)),
        Unit("pension", "pension {}"),
    ),
    seats=tuple(
        Seat(seat, name, (total, 5 + seat, 3, 9, seat, 1, 8 if seat == 2 else 0, 50), waited_for=seat == 1, rank=None)
        for seat, (name, total) in enumerate(zip(NAMES, (10935, 11036, 812037, 13038, 14039, 15040), strict=True))
    ),
    board=Ring("The track", _fields()),
    kinds=(PAWN, CHIPS[1], NOTES[1000]),
    dice=(Die("first die", "red", 6), Die("second die", "beige", 3), Die("decider", "black", 5)),
    cards=(Card("decider", "The roller gains all stakes of the others", note="5"),),
    piles=(
        Pile(
            "pension cards", tuple(Piece(Kind("card", "C", "card"), name=name, count=5) for name in ("5", "50", "500"))
        ),
    ),
    goal=1000000,
)
"""A ring of 56 fields with six seats, purses of six denominations, and stakes on three fields."""

SHOP = Kind("shop", "#", "shop")
CUSTOMER = Kind("customer", "c", "person")
FOUNTAIN, ENTRANCE, TREE = Kind("fountain", "o", "fountain"), Kind("entrance", "O", "gate"), Kind("tree", "t")
_TOWN = """
Y1 P1 G1 G1 R1 R1 .  .  .  1* .  .  2
Y1 P1 .  .  .  .  3  B1 P2 .  G2 G2 .
.  .  4  Y2 Y2 P3 .  B1 P2 .  R2 R2 .
.  B2 .  R3 ## P3 5  .  .  6  .  7  .
.  B2 .  R3 Y3 Y3 .  G3 B3 B3 Y4 .  P4
8* .  9  .  10 .  11 G3 R4 R4 Y4 .  P4
.  G4 B4 B4 .  R5 .  .  12 .  .  13 ##
.  G4 Y5 Y5 .  R5 P5 P5 .  B5 B5 .  G5
14 .  .  .  15 .  .  .  16* .  .  .  G5
"""
_SPACES = {
    (row, column): name
    for row, line in enumerate(_TOWN.split("\n")[1:], start=1)
    for column, name in enumerate(line.split(), start=1)
}
_STREETS = (
    "1-2 1-3 1-6 2-7 3-4 3-5 4-8 4-9 5-6 5-11 6-7 7-13 8-9 8-14 9-10 10-11 10-15 11-12 12-13 12-16 13-16 14-15 15-16"
)
_NUMBERED = {int(name.rstrip("*")): place for place, name in _SPACES.items() if name[0].isdigit()}
_ENTRANCES = {int(name.rstrip("*")) for name in _SPACES.values() if name.endswith("*")}
_COLOR: dict[str, Colour] = {"Y": "yellow", "P": "purple", "G": "green", "R": "red", "B": "blue"}
_DIRECTIONS = ((-1, 0), (0, 1), (1, 0), (0, -1))


def _way(first: int, second: int) -> Way:
    """From the first place to the second: straight on, and around corners where there is only one way."""
    for direction in _DIRECTIONS:
        place, heading, path = _NUMBERED[first], direction, [_NUMBERED[first]]
        while True:
            ahead = (place[0] + heading[0], place[1] + heading[1])
            if not _open(ahead):
                turned = [each for each in _DIRECTIONS if each not in (heading, (-heading[0], -heading[1]))]
                sides = [each for each in turned if _open((place[0] + each[0], place[1] + each[1]))]
                if len(path) == 1 or len(sides) != 1:
                    break
                heading = sides[0]
                continue
            place = ahead
            path.append(place)
            if place in _NUMBERED.values():
                break
        if place == _NUMBERED[second] and len(path) > 1:
            corners = [
                here
                for (before, here), (_, after) in pairwise(pairwise(path))
                if before[0] != after[0] and before[1] != after[1]
            ]
            return Way(first - 1, second - 1, tuple(corners))
    raise AssertionError(f"no street from {first} to {second}")


def _open(place: tuple[int, int]) -> bool:
    return _SPACES.get(place, "#")[0] in ".123456789"


def _shops() -> tuple[Placed, ...]:
    """All shops. Every third is sold, to each of four in turn, and has customers of its color."""
    corners: dict[str, list[tuple[int, int]]] = {}
    for place, name in _SPACES.items():
        if name[0] in _COLOR:
            corners.setdefault(name, []).append(place)
    shops = []
    for number, (name, places) in enumerate(sorted(corners.items())):
        (row, column), (last_row, last_column) = places[0], places[-1]
        sold, color = number % 3 == 0, _COLOR[name[0]]
        shops.append(
            Placed(
                SHOP,
                number // 3 % 4 if sold else None,
                color,
                name,
                holds=(Piece(CUSTOMER, colour=color, count=1 + number % 4),) if sold else (),
                row=row,
                column=column,
                rows=last_row - row + 1,
                columns=last_column - column + 1,
            )
        )
    return tuple(shops)


def _places() -> tuple[Place, ...]:
    groups: dict[int, tuple[tuple[Colour, int], ...]] = {
        1: (("red", 1), ("yellow", 1), ("green", 1)),
        5: (("blue", 3), ("purple", 2), ("red", 4), ("green", 1), ("yellow", 9)),
        12: (("yellow", 2),),
        16: (("blue", 12), ("purple", 11), ("red", 10), ("green", 10), ("yellow", 14)),
    }
    return tuple(
        Place(
            str(number),
            ENTRANCE if number in _ENTRANCES else FOUNTAIN,
            "beige" if number in _ENTRANCES else None,
            pieces=tuple(Piece(CUSTOMER, colour=color, count=count) for color, count in groups.get(number, ())),
            marked="left now" if number == 5 else "",
            row=row,
            column=column,
        )
        for number, (row, column) in sorted(_NUMBERED.items())
    )


TOWN = Picture(
    language="en",
    title="Round 4 · Dan moves",
    subtitle="A group leaves fountain 5",
    units=(Unit("cash", "{} dirham"), Unit("shops", "{} shops"), Unit("signs", "{} signs left")),
    seats=tuple(
        Seat(seat, name, (cash, 3, 3), waited_for=seat == 3, notes=("starts the round",) if seat == 0 else ())
        for seat, (name, cash) in enumerate(zip(NAMES[:4], (1200, 975, 2050, 400), strict=True))
    ),
    board=Map(
        "Marrakesh",
        9,
        13,
        _places(),
        tuple(_way(*map(int, street.split("-"))) for street in _STREETS.split()),
        (*_shops(), Placed(TREE, row=4, column=5), Placed(TREE, row=7, column=13)),
    ),
    kinds=(SHOP, CUSTOMER, FOUNTAIN, ENTRANCE, TREE),
    counters=(Counter("customers outside", 21, 45),),
    cards=(
        Card("auction", "Shop R3", rows=(Row("highest bid", (325,)),), note="Ben", in_force=True),
        Card("auctioneer", None),
    ),
    piles=(
        Pile(
            "queue",
            tuple(
                Piece(CUSTOMER, colour=color, count=1 + number % 3)
                for number, color in enumerate((*_COLOR.values(), *reversed(_COLOR.values())))
            ),
            "21 wait",
        ),
    ),
)
"""A town of places and ways, with shops of all sizes, groups by color, and a queue."""

BARE = Picture(
    language="de",
    title="Runde 2",
    units=(Unit("Punkte", "{} Punkte"),),
    seats=tuple(Seat(seat, name, (seat * 7,), rank=6 - seat) for seat, name in enumerate(NAMES)),
    dice=(Die("Würfel", "blue", 4),),
    tracks=(Track("Wertung", "green", tuple(range(0, 36, 7)), "Spielfiguren", (0, 7, 14, 21, 28, 35)),),
    counters=(Counter("Runde", 2, 5),),
    cards=(Card("Aufgabe", "Sammle drei von einer Farbe", (TREE,), (Row("bringt", (4,)), Row("kostet", (None,)))),),
    piles=(Pile("Stapel", ()),),
    result="Sieg: Finn",
)
"""A game without a board, in German."""

ALL = {"other": OTHER, "ring": RING, "town": TOWN, "bare": BARE}
