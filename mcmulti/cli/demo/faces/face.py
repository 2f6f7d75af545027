"""What the display and the onlooker have to know of a rule set."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rich.text import Text

from mcmulti.bots.strategy import View


class Sight(NamedTuple):
    """A game at a moment, as an onlooker knows it.

    `view` is what everybody may see, `turn` its number, 0 before the first; `holdings` is what each seat has by unit.
    """

    view: View
    turn: int = 0
    holdings: Sequence[Mapping[str, int]] = ()


@dataclass(frozen=True)
class Face:
    """How a game of one rule set is shown while it is played.

    `headline` says where the game stands, `circumstances` what prices and times are like, `line` both and what
    everybody has in one line of plain text, None before there is anything to say. `columns` are the headings beside
    the name, `row` what stands below them for a seat. `tells` is whether an event, with its data, is worth telling.
    `at_move` marks who is to move. `target` is the cash that ends the game, if some does, and `in_target` the unit of
    it. `replayed`: whether it shows the turn and the holdings of a sight, which come from the replay.
    `counted`: what the books follow. `advice`: commands of mcmulti, with comments, that look into a kept game's folder
    as no other rule set needs it.
    """

    headline: Callable[[Sight], Text]
    circumstances: Callable[[Sight], Text]
    line: Callable[[Sight], str | None]
    columns: Callable[[Sight], tuple[str, ...]]
    row: Callable[[Sight, int], tuple[str, ...]]
    tells: Callable[[str, dict[str, Any]], bool]
    at_move: str = "▸"
    target: Callable[[View], int] | None = None
    in_target: str = ""
    replayed: bool = False
    counted: str = "all that is counted"
    advice: Callable[[str], tuple[str, ...]] = lambda folder: ()


def words(name: str) -> str:
    """A name of the rules for people."""
    return name.replace("_", " ")


def won(view: View) -> str:
    """Who has won a finished game."""
    names = [view["seats"][seat]["name"] for seat in view["winners"]]
    return f"{' and '.join(names)} {'has' if len(names) == 1 else 'have'} won"
