"""The table, the capital, the visitors laid out by lot, the start player, the first round."""

from collections import Counter
from itertools import groupby, permutations

import pytest
from msgspec import ValidationError, convert
from msgspec.structs import replace

from mcmulti.domain.core.chance import Draw, SeededChance
from mcmulti.domain.core.commands import LeaveSeat, StartGame, TakeSeat
from mcmulti.domain.core.course.starting import AgreeToStart
from mcmulti.domain.marracash import RULESET
from mcmulti.domain.marracash.commands import Bid, MoveGroup, PassBid, PutUp
from mcmulti.domain.marracash.components import COLOURS, VISITORS, Colour
from mcmulti.domain.marracash.phases.turns import ActionsLapsed
from mcmulti.domain.marracash.state import Crowd, MarraCashSetup
from mcmulti.domain.marracash.table import Layout, VisitorsArrived, laid_out, may_follow
from tests.pure.marracash.situations import ADA, BEN, CLEO, after, bidding, happened, refused, started, table
from tests.scripted_chance import ScriptedChance


@pytest.mark.parametrize("seats", [2, 5])
def test_setup_seats__three_or_four(seats: int) -> None:
    with pytest.raises(ValidationError):
        convert({"seats": seats}, MarraCashSetup)


def test_table_join__each_takes_one_seat() -> None:
    full = table()
    assert full.names == ("Ada", "Ben", "Cleo")
    assert refused(full, None, TakeSeat("player-9")) == ("table_full", "table/join")
    assert refused(full, None, TakeSeat("player-0")) == ("already_seated", "table/join")


def test_table_leave__before_the_start() -> None:
    assert after(table(), BEN, LeaveSeat()).names == ("Ada", None, "Cleo")
    assert refused(started(), BEN, LeaveSeat()) == ("game_started", "table/start")


def test_table_start__when_every_seat_is_taken() -> None:
    assert refused(after(table(), BEN, LeaveSeat()), ADA, StartGame()) == ("too_few_players", "setup/seats")
    assert refused(after(table(4), BEN, LeaveSeat()), ADA, StartGame()) == ("seats_empty", "table/start")
    assert (started().phase, started().round, started().quiet) == ("actions", 1, 0)


def test_table_start__those_behind_a_free_seat_move_forward() -> None:
    """Of four players, Ada leaves, and the others agree.

    Ben begins on seat 0, since the lot fell on the first of three.
    """
    state = after(table(4), ADA, LeaveSeat())
    for seat in (1, 2):
        state = after(state, seat, AgreeToStart())
    state = after(state, 3, AgreeToStart(), [*[1] * 54, 1])
    assert state.player_ids == ("player-1", "player-2", "player-3")
    assert state.cash == (1200, 1200, 1200)
    assert state.first == 0


def test_start_capital__each_begins_with_1200() -> None:
    assert started().cash == (1200, 1200, 1200)


def test_visitors_count__the_first_who_may_come_is_drawn_each_time() -> None:
    """At the first entrance are a red, a blue, and a green visitor, since no color may stand there twice.

    The same goes for the others. Seven red ones are left: three come, then a blue, three red, a blue, a red, and three
    of the five blue that are left, ...
    """
    state = started()
    three = Crowd(red=1, blue=1, green=1)
    assert [state.group(number) for number in (1, 8, 16)] == [three] * 3
    assert sum(map(len, state.groups)) == 9
    assert state.queue[:11] == ("red",) * 3 + ("blue",) + ("red",) * 3 + ("blue",) + ("red",) + ("blue",) * 2
    assert state.draws == 55


def _layout(seed: int) -> Layout:
    chance, number = SeededChance(bytes([seed]) * 32, "game"), iter(range(1, 99))

    def draw(sides: int) -> Draw:
        drawn = next(number)
        return Draw(drawn, sides, chance.value(drawn, sides, ""))

    return laid_out(draw)


@pytest.mark.parametrize("seed", range(50))
def test_visitors_count__54_with_never_more_than_three_of_a_color_in_a_row(seed: int) -> None:
    layout = _layout(seed)
    assert all(number == 1 for group in layout.entrances for _, number in group)
    assert [len(group) for group in layout.entrances] == [3, 3, 3]
    assert max(len(list(run)) for _, run in groupby(layout.queue)) <= 3
    counted = Counter(layout.queue)
    for group in layout.entrances:
        counted.update(dict(group))
    assert counted == VISITORS == {"red": 10, "blue": 10, "green": 10, "yellow": 14, "purple": 10}
    assert len(layout.queue) == 45


@pytest.mark.parametrize(
    "left", [{"red": 5, "blue": 1}, {"red": 7, "blue": 1}, {"red": 4, "blue": 1, "green": 1}, {"red": 4, "blue": 4}]
)
@pytest.mark.parametrize("begun", [(), ("red",), ("red", "red", "red"), ("blue", "red")])
def test_visitors_count__one_may_come_next_if_and_only_if_the_others_find_a_place(
    left: dict[Colour, int], begun: tuple[Colour, ...]
) -> None:
    """Compared with all possible orders of those who are left."""
    crowd = [color for color, number in left.items() for _ in range(number)]
    fitting = {
        order[0]
        for order in set(permutations(crowd))
        if max(len(list(run)) for _, run in groupby((*begun, *order))) <= 3
    }
    counted = dict.fromkeys(COLOURS, 0) | left
    assert {color for color in COLOURS if counted[color] and may_follow(list(begun), counted, color)} == fitting


def test_visitors_count__every_draw_is_in_the_event() -> None:
    [arrived] = [
        event for event in happened(table(), ADA, StartGame(), [1] * 55)[1] if isinstance(event, VisitorsArrived)
    ]
    assert [draw.number for draw in arrived.draws] == list(range(1, 55))
    assert arrived.draws[0].sides == 54
    assert arrived.draws[1].sides == 44, "no second red one on the same fountain"


@pytest.mark.parametrize("first", [ADA, BEN, CLEO])
def test_round_start__the_lot_decides_and_every_round_begins_with_the_same_player(first: int) -> None:
    state = started(first=first)
    assert RULESET.to_move(state) == (state.first,) == (first,)
    order = []
    for shop in ("R1", "R2", "R3"):
        seat = state.seat
        order.append(seat)
        state = after(state, seat, PutUp(shop, 1200))  # nobody can bid more
    assert order == [first, (first + 1) % 3, (first + 2) % 3]
    assert (state.seat, state.round, state.left, state.quiet) == (first, 2, 2, 0)


def test_round_first__one_shop_each_and_no_moves() -> None:
    state = started()
    assert refused(state, ADA, MoveGroup(1, 2)) == ("first_round", "round/first")
    state = bidding(after(state, ADA, PutUp("R1", 100)), (BEN, None), (CLEO, None))
    assert (state.seat, state.round, state.left) == (BEN, 1, 1)


def test_round_first__who_has_less_than_100_passes() -> None:
    """Ben spent 1125 on the shop that Ada put up and has 75. It is Cleo's turn at once."""
    state = after(started(), ADA, PutUp("R1", 1100))
    state = replace(state, cash=(1200, 1200, 1125))
    state, events = happened(after(state, BEN, Bid(1125)), ADA, PassBid())
    assert state.cash == (1400, 75, 1125)
    assert [event for event in events if isinstance(event, ActionsLapsed)] == [ActionsLapsed(BEN, 1)]
    assert (state.seat, state.round) == (CLEO, 1)


def test_chance_commitment__stands_in_the_first_event() -> None:
    opened = RULESET.open("game", MarraCashSetup(), ScriptedChance())
    assert opened.facts[0].event.commitment == ScriptedChance().commitment  # type: ignore[union-attr]


def test_chance_one_draw__only_the_start_draws() -> None:
    """What comes after it needs no chance: a script without dice is enough throughout the first round."""
    state = started()
    for shop in ("R1", "R2", "R3"):
        state = after(state, state.seat, PutUp(shop, 1200), [])
    assert state.draws == 55
