"""The words of the pictures themselves, whatever the game."""

from collections.abc import Mapping

from msgspec import Struct

from mcmulti.domain.core.board import Colour, Direction
from mcmulti.domain.core.telling import Language


class Labels(Struct, frozen=True, kw_only=True):
    """In one language. `lines` has the word for one line and for several, `ends` room for what those are called."""

    buy: str
    sell: str
    next_price: str
    dice: str
    lines: Mapping[Direction, tuple[str, str]]
    colours: Mapping[Colour, str]
    nobody: str
    free_seat: str
    moves: str
    goal: str
    holds: str
    ways: str
    spaces: str
    closed: str
    empty: str
    ends: str


LABELS: Mapping[Language, Labels] = {
    "en": Labels(
        buy="buy",
        sell="sell",
        next_price="next price",
        dice="dice",
        lines={"row": ("row", "rows"), "column": ("column", "columns")},
        colours={
            "red": "red",
            "blue": "blue",
            "green": "green",
            "yellow": "yellow",
            "purple": "purple",
            "brown": "brown",
            "black": "black",
            "beige": "beige",
        },
        nobody="nobody",
        free_seat="free seat",
        moves="to move",
        goal="goal",
        holds="holds",
        ways="ways to",
        spaces="spaces",
        closed="closed",
        empty="empty",
        ends="from {first} to {last}",
    ),
    "de": Labels(
        buy="Kauf",
        sell="Verkauf",
        next_price="nächster Preis",
        dice="Würfel",
        lines={"row": ("Zeile", "Zeilen"), "column": ("Spalte", "Spalten")},
        colours={
            "red": "rot",
            "blue": "blau",
            "green": "grün",
            "yellow": "gelb",
            "purple": "lila",
            "brown": "braun",
            "black": "schwarz",
            "beige": "beige",
        },
        nobody="niemand",
        free_seat="freier Platz",
        moves="am Zug",
        goal="Ziel",
        holds="darin",
        ways="Wege nach",
        spaces="Felder",
        closed="geschlossen",
        empty="leer",
        ends="von {first} nach {last}",
    ),
}
