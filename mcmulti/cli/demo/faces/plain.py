"""The face of any other game: the player to move, everybody's holdings, and all events."""

from collections.abc import Mapping

from rich.text import Text

from mcmulti.bots.strategy import View
from mcmulti.cli.demo.faces.face import Face, Sight, words


def _headline(sight: Sight) -> Text:
    if sight.view["status"] == "open":
        return Text("  The table fills", "bold")
    waiting = ", ".join(str(sight.view["seats"][seat]["name"]) for seat in sight.view["to_move"])
    return Text.assemble((f"  Turn {sight.turn}", "bold"), f" · {waiting} to move" if waiting else " · it is over")


def _circumstances(sight: Sight) -> Text:
    return Text(f"  {words(sight.view['ruleset'])}", "dim")


def _line(sight: Sight) -> str | None:
    if not sight.holdings:
        return None
    seats: list[View] = sight.view["seats"]
    has = (_has(seat["name"], holding) for seat, holding in zip(seats, sight.holdings, strict=True))
    return f"turn {sight.turn:>3}: {', '.join(has)}"


def _has(name: str, holding: Mapping[str, int]) -> str:
    return f"{name} {' + '.join(f'{amount} {words(unit)}' for unit, amount in holding.items())}"


def _columns(sight: Sight) -> tuple[str, ...]:
    return tuple(words(unit) for unit in sight.holdings[0]) if sight.holdings else ()


def _row(sight: Sight, seat: int) -> tuple[str, ...]:
    return tuple(str(amount) for amount in sight.holdings[seat].values()) if sight.holdings else ()


PLAIN = Face(
    headline=_headline,
    circumstances=_circumstances,
    line=_line,
    columns=_columns,
    row=_row,
    tells=lambda event, data: True,
    replayed=True,
)
