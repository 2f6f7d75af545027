"""The demo of MarraCash, in a process of its own, and its display."""

from io import StringIO

import msgspec
import pytest
from rich.console import Console

from mcmulti.cli.demo.display import Display
from mcmulti.cli.demo.faces.face import Sight
from mcmulti.cli.demo.faces.games.marracash import FACE
from mcmulti.cli.demo.faces.registry import face_of
from mcmulti.domain.marracash import RULESET
from mcmulti.domain.marracash.commands import MoveGroup, PutUp
from mcmulti.domain.marracash.state import NOBODY, Bazaar, Crowd
from tests.pure.marracash.situations import ADA, BEN, CLEO, after, bidding, empty_town, situation, table


def sight(state: Bazaar) -> Sight:
    return Sight(msgspec.to_builtins(RULESET.view(state, None)))


def headline(state: Bazaar) -> str:
    return FACE.headline(sight(state)).plain.strip()


def test_the_headline_tells_where_the_game_stands() -> None:
    assert face_of("marracash") is FACE
    assert headline(table()) == "The table fills"
    state = situation(shops={"B3": (BEN, 2)})
    assert headline(state) == "Round 2, turn 4 · Ada has 2 actions left"
    assert headline(after(state, ADA, MoveGroup(1, 2))) == "Round 2, turn 4 · Ada has 1 action left"
    put_up = after(state, ADA, PutUp("R1", 100))
    assert headline(put_up) == "Round 2, turn 4 · Ada puts up R1: Ada bids 100"
    assert headline(bidding(put_up, (BEN, 125))) == "Round 2, turn 4 · Ada puts up R1: Ben bids 125"
    moved = after(after(state, ADA, MoveGroup(1, 2)), ADA, MoveGroup(2, 7))
    assert headline(moved) == "Round 2, turn 4 · Ada lets visitors in"


def test_the_headline_tells_the_last_round_and_who_has_won() -> None:
    last = empty_town(groups={5: Crowd(red=1)}, seat=CLEO, cash={ADA: 700, BEN: 700, CLEO: 600}, last_turns=0)
    assert headline(last).endswith("Cleo has 2 actions left · the last round")
    over = after(after(last, CLEO, MoveGroup(5, 6)), CLEO, MoveGroup(6, 5))
    assert headline(over) == "Turn 4 · Ada and Ben have won"


def test_who_is_where_and_what_everybody_has() -> None:
    """Three purple visitors at the entrances, ten in the queue, and two customers in the only shop that is sold."""
    seen = sight(situation(shops={"B3": (BEN, 2)}))
    assert FACE.circumstances(seen).plain.strip() == "10 in the queue · 3 in the streets · 2 in 1 shop"
    assert FACE.line(seen) == "round  2, turn  4, 10 in the queue: Ada 1000, Ben 1000, Cleo 1000"
    assert FACE.row(seen, BEN) == ("1,000", "2", "B3")
    assert FACE.row(seen, ADA) == ("1,000", "0", "")
    assert FACE.line(sight(table())) is None


@pytest.mark.parametrize(
    ("event", "data", "told"),
    [
        ("ShopSold", {}, True),
        ("BazaarClosed", {}, True),
        ("CustomersEntered", {"income": 500}, True),
        ("CustomersEntered", {"income": 400}, False),
        ("GroupMoved", {}, False),
    ],
)
def test_what_is_worth_telling(event: str, data: dict[str, int], told: bool) -> None:
    assert FACE.tells(event, data) is told


def test_the_picture_of_a_game_fits_80_columns() -> None:
    six = dict.fromkeys(("R1", "B1", "G1", "Y1", "P1", "P5"), (ADA, 10))
    states = (table(4), situation(4, shops=six, cash=12_345), empty_town(groups={1: NOBODY}, players=4))
    out = StringIO()
    with Display(Console(file=out, width=80, force_terminal=True, color_system=None), FACE) as display:
        for state in states:
            display.show(sight(state))
    assert "12,345" in out.getvalue()
    assert "R1 B1 G1 Y1 P1 P5" in out.getvalue()
    assert "…" not in out.getvalue()
