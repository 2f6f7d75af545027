"""What the display and the spectator must know of a rule set."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rich.text import Text

from mcmulti.bots.strategy import View


class Sight(NamedTuple):
    """A game at one moment, as a spectator knows it.

    `view`: what everybody can see. `turn`: its number, 0 before the first. `holdings`: what each seat has, by unit.
    """

    view: View
    turn: int = 0
    holdings: Sequence[Mapping[str, int]] = ()


@dataclass(frozen=True)
class Face:
    """How a game of one rule set is shown while it is played.

    `headline`: the state of the game. `circumstances`: prices and the like. `line`: both, and everybody's holdings, in
    one line of plain text; None before there is anything to say. `columns`: the headings after the name. `row`: a
    seat's values for them. `tells`: whether an event, with its data, is worth showing. `at_move`: marks the player to
    move. `target`: the cash that ends the game, if any. `in_target`: the unit of `target`. `replayed`: whether it shows
    the turn and the holdings of a sight, which come from the replay. `counted`: the units that the books follow.
    `advice`: commands of mcmulti, with comments, that are useful for a kept game of this rule set alone.
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


def headline(playing: Callable[[Sight], Text], unit: str) -> Callable[[Sight], Text]:
    """A headline: `playing` during the game, and its winners after the last `unit`, such as "round" or "turn"."""

    def told(sight: Sight) -> Text:
        view = sight.view
        if view["status"] == "open":
            return Text("  The table fills", "bold")
        if view["status"] == "finished":
            return Text.assemble((f"  {unit.capitalize()} {view[unit]}", "bold"), f" · {won(view)}")
        return playing(sight)

    return told


def words(name: str) -> str:
    """The displayed words for a name of the rules."""
    return name.replace("_", " ")


def won(view: View) -> str:
    """The winners of a finished game."""
    names = [view["seats"][seat]["name"] for seat in view["winners"]]
    return f"{' and '.join(names)} {'has' if len(names) == 1 else 'have'} won"
