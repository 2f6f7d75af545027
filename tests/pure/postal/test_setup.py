"""The table, the start, and chance."""

import hmac
from hashlib import sha256

from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.commands import LeaveSeat, StartGame, TakeSeat
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.table import SeatLeft, SeatTaken, SeedRevealed
from mcmulti.domain.oil.view import MarketView
from mcmulti.domain.postal import RULESET
from mcmulti.domain.postal.commands import SubmitOrders
from mcmulti.domain.postal.refereeing.refereeing import OrdersSubmitted
from mcmulti.domain.postal.shown.view import view
from mcmulti.domain.postal.state import PostalSetup
from tests.pure.postal.situations import NOTHING, A, B, after, events, refused, situation, started, table, won


def test_board_quadrants__each_player_has_one() -> None:
    assert [each.owner for each in view(started(), None).quadrants] == [0, 1, 2, 3]
    assert [each.quadrants for each in view(started(), None).seats] == [(0,), (1,), (2,), (3,)]


def test_table_join__a_free_seat_once() -> None:
    state = table(taken=(0,))
    taken = events(state, None, TakeSeat("ben", 1, "luck"))
    assert taken == [SeatTaken(1, "ben", "luck")]
    assert refused(state, None, TakeSeat("ben", 0)).code == "seat_taken"
    assert refused(state, None, TakeSeat("player-0", 1)).code == "already_seated"
    assert refused(table(), None, TakeSeat("eve")).code == "table_full"
    assert refused(started(), None, TakeSeat("eve")).code == "game_started"


def test_table_leave__before_the_start_only() -> None:
    assert events(table(), B, LeaveSeat()) == [SeatLeft(B)]
    assert refused(started(), B, LeaveSeat()).code == "game_started"


def test_table_start__four_players_are_needed() -> None:
    refusal = refused(table(taken=range(3)), A, StartGame())
    assert (refusal.code, refusal.rule) == ("too_few_players", "table/start")
    assert refused(table(taken=range(3)), None, StartGame()).code == "no_seat"
    assert RULESET.status(started()) == "running"


def test_postal_start__cash_barrels_climate_and_consumers() -> None:
    state = started()
    assert [(p.cash, p.crude, p.gasoline) for p in state.players] == [(200, 3, 3)] * 4
    assert all(quadrant.occupied == 0 for quadrant in state.quadrants)
    assert (state.economy, state.consumer_price, state.round, state.order) == ("recovery", 26, 1, (0, 1, 2, 3))


def test_postal_markets__how_they_open() -> None:
    """26 fields each, five of them free: 21 barrels."""
    assert view(started(), None).markets == (
        MarketView("domestic", "crude", 21, 6, 5),
        MarketView("domestic", "gasoline", 21, 12, 10),
        MarketView("foreign", "crude", 21, 6, 5),
        MarketView("foreign", "gasoline", 21, 12, 10),
    )


def test_chance_commitment__is_published_first_and_salts_follow_from_the_seed() -> None:
    """Salt n is the first 16 bytes of HMAC-SHA256(seed, "<game id>:salt:<n>")."""
    seed = bytes(range(32))
    chance = SeededChance(seed, "game")
    opened = RULESET.open("game", PostalSetup(), chance)
    assert not isinstance(opened, Rejection)
    assert opened.state.commitment == sha256(seed).hexdigest()
    state = started()
    for number, seat in enumerate((A, B, A), start=1):
        decision = RULESET.decide(state, seat, SubmitOrders(1, NOTHING), chance)
        assert not isinstance(decision, Rejection)
        (fact,) = decision.facts
        salt = hmac.new(seed, f"game:salt:{number}".encode(), sha256).hexdigest()[:32]
        assert fact.event == OrdersSubmitted(seat, 1, NOTHING, salt)
        state = decision.state


def test_chance_reveal__the_seed_is_the_last_event() -> None:
    happened, state = won()
    assert happened[-1] == SeedRevealed("00" * 32)
    assert state.seed == view(state, None).seed == "00" * 32
    assert after(situation(), A, SubmitOrders(5, NOTHING)).seed is None
