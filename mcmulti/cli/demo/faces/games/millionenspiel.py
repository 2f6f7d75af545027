"""The face of the Millionenspiel."""

from typing import Any

from rich.text import Text

from mcmulti.bots.strategies.gambler.pieces import VALUES
from mcmulti.bots.strategy import View
from mcmulti.cli.demo.faces.face import Face, Sight, headline

RICH = 10_000
"""Wins and losses are shown from this amount on."""
DIGITS = 7
"""The number of digits of a million."""


def _playing(sight: Sight) -> Text:
    view = sight.view
    throws = " and ".join(f"{throw['first']['value']}-{throw['second']['value']}" for throw in view["throws"])
    thrown = f" · thrown {throws}" if throws else ""
    roller = view["seats"][view["roller"]]["name"]
    return Text.assemble((f"  Round {view['round']}", "bold"), f" · {roller} has the dice{thrown}")


def _circumstances(sight: Sight) -> Text:
    view = sight.view
    near = ", ".join(view["seats"][seat]["name"] for seat in view["at_stake"])
    million = f" · it is about the million: {near}" if near else ""
    return Text.assemble("  the pawn stands on ", (_field(view), "bold"), million)


def _field(view: View) -> str:
    return f"{view['field'] or 'the arrow'}, {view['colour']}"


def _line(sight: Sight) -> str | None:
    view = sight.view
    if not view["round"]:
        return None
    money = ", ".join(f"{seat['name']} {seat['money']}" for seat in view["seats"])
    return f"round {view['round']:>3}, pawn on {_field(view)}: {money}"


def _row(sight: Sight, seat: int) -> tuple[str, ...]:
    """Money by its digits: each further digit is ten times as much."""
    has = sight.view["seats"][seat]
    digits = min(DIGITS, len(str(has["money"]))) if has["money"] else 0
    bar = f"{'━' * digits}{' ' * (DIGITS - digits)} {has['money']:>9,}"
    return bar, f"{_worth(has['stake']):,}", str(has["pension"] or "")


def _worth(pieces: dict[str, int]) -> int:
    return sum(number * VALUES[kind] for kind, number in pieces.items())


def _tells(event: str, data: dict[str, Any]) -> bool:
    match event:
        case "PensionBought" | "PawnBrought" | "MillionAtStake" | "DeciderThrown" | "GameEnded":
            return True
        case "StakeWon" | "StakeLost" | "RestLost" | "StakeTaken" | "RestTaken":
            return _worth(data["pieces"]) >= RICH
        case "NotesLost":
            return _worth(data["staked"]) + _worth(data["kept"]) >= RICH
    return False


FACE = Face(
    headline=headline(_playing, "round"),
    circumstances=_circumstances,
    line=_line,
    columns=lambda sight: ("money", "staked", "pension"),
    row=_row,
    tells=_tells,
    counted="every piece of money",
    advice=lambda folder: (
        f"report {folder}   # who won, by which rule, and why",
        f"statistics {folder}   # whether it was luck",
    ),
)
