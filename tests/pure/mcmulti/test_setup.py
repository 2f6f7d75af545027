"""Setting up: seats and quadrants, capital, who starts, the first news, the target."""

from collections.abc import Sequence

import msgspec
import pytest

from mcmulti.domain.core.chance import Draw
from mcmulti.domain.core.commands import StartGame
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.news.cards import NewsTurnedOver
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.domain.mcmulti.table import FirstPlayerChosen, StartingRoll, StartRolled
from mcmulti.domain.mcmulti.view import view
from mcmulti.domain.oil.rules.market import Market
from mcmulti.domain.oil.rules.quadrant import EMPTY
from tests.pure.mcmulti.situations import ALL_NEWS, after, events, refused, situation, started, table
from tests.scripted_chance import ScriptedChance

# Seats and quadrants


@pytest.mark.parametrize(
    ("players", "owners"),
    [(4, (0, 1, 2, 3)), (3, (0, 1, 2, None)), (2, (0, 1, 0, 1))],
)
def test_setup_seats__four_own_a_quadrant_each_with_three_one_is_nobodys_and_two_own_opposite_ones(
    players: int, owners: tuple[int | None, ...]
) -> None:
    state = started(players)
    assert state.owners == owners
    assert state.player_ids == tuple(f"player-{seat}" for seat in range(players))


@pytest.mark.parametrize(
    ("taken", "owners"),
    [
        ((0, 1, 3), (0, 1, None, 2)),
        ((0, 2, 3), (0, None, 1, 2)),
        ((1, 2, 3), (None, 0, 1, 2)),
        ((0, 1), (0, 1, 0, 1)),
        ((0, 2), (0, 1, 0, 1)),
        ((2, 3), (0, 1, 0, 1)),
    ],
)
def test_setup_seats__the_ghost_has_the_quadrant_of_the_empty_seat(
    taken: Sequence[int], owners: tuple[int | None, ...]
) -> None:
    """Three of four keep the quadrants they sat down at. Two of four own opposite quadrants in any case."""
    state = after(table(4, taken, opener=taken[0], first_seat=taken[0]), taken[0], StartGame(), (1, 1))
    assert state.owners == owners
    assert state.player_ids == tuple(f"player-{seat}" for seat in taken)


@pytest.mark.parametrize("seats", [1, 5])
def test_setup_seats__a_table_has_two_to_four(seats: int) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"seats": seats}, Setup)


def test_setup_seats__one_player_alone_cannot_start() -> None:
    rejection = refused(table(4, (0,), opener=0), 0, StartGame())
    assert (rejection.code, rejection.rule) == ("too_few_players", "setup/seats")


# What everybody starts with


@pytest.mark.parametrize(("players", "capital"), [(4, 200), (3, 250), (2, 300)])
def test_setup_start_capital__depends_on_the_number_of_players(players: int, capital: int) -> None:
    state = started(players)
    assert [player.cash for player in state.players] == [capital] * players


@pytest.mark.parametrize("players", [2, 3, 4])
def test_setup_start_capital__everybody_has_two_barrels_of_each_good_and_no_assets(players: int) -> None:
    state = started(players)
    assert [(player.crude, player.gasoline) for player in state.players] == [(2, 2)] * players
    assert state.quadrants == (EMPTY,) * 4


def test_setup_start_capital__a_table_of_four_started_by_three_gives_250() -> None:
    state = after(table(4, (0, 1, 3), opener=0, first_seat=0), 0, StartGame(), (1, 1))
    assert [player.cash for player in state.players] == [250] * 3


def test_setup_start_capital__bank_and_markets_are_laid_out() -> None:
    state = started()
    assert (state.domestic, state.foreign) == (Market(5, 7), Market(5, 7))
    assert (state.consumer_price, state.consumer_barrels) == (26, 1)
    assert (state.economy, state.difference) == ("recovery", 0)


# Who starts


def _start(dice: Sequence[int], players: int = 4) -> list[msgspec.Struct]:
    """The events about the first player when the game starts. Two news draws come before these dice."""
    happened = events(table(players), 0, StartGame(), (1, 1, *dice))
    return [event for event in happened if isinstance(event, StartRolled | FirstPlayerChosen)]


def test_setup_first_player__the_highest_roll_starts() -> None:
    rolls = (
        StartingRoll(0, Draw(3, 6, 2)),
        StartingRoll(1, Draw(4, 6, 4)),
        StartingRoll(2, Draw(5, 6, 5)),
        StartingRoll(3, Draw(6, 6, 1)),
    )
    assert _start((2, 4, 5, 1)) == [StartRolled(rolls), FirstPlayerChosen(2, 2, (2, 3, 0, 1))]


def test_setup_first_player__only_those_who_tie_for_the_highest_roll_again_until_one_is_ahead() -> None:
    """Players 1 and 2 tie with 6, tie again with 4, then 1 beats 2 with 5 against 3, although 3 rolled a 5 before."""
    happened = _start((3, 6, 6, 5, 4, 4, 5, 3))
    assert [
        [(roll.seat, roll.die.value) for roll in event.rolls] for event in happened if isinstance(event, StartRolled)
    ] == [[(0, 3), (1, 6), (2, 6), (3, 5)], [(1, 4), (2, 4)], [(1, 5), (2, 3)]]
    assert happened[-1] == FirstPlayerChosen(1, 1, (1, 2, 3, 0))


def test_setup_first_player__who_falls_back_in_a_second_roll_is_out() -> None:
    """All three tie with 2. Then 0 and 2 tie with 6 and leave 1 out. 2 wins the third round."""
    assert _start((2, 2, 2, 6, 1, 6, 1, 2), players=3)[-1] == FirstPlayerChosen(2, 2, (2, 0, 1))


def test_setup_first_player__with_two_players_the_first_begins_with_its_first_quadrant() -> None:
    assert _start((1, 6), players=2)[-1] == FirstPlayerChosen(1, 1, (1, 2, 3, 0))


@pytest.mark.parametrize("first", [0, 1, 2, 3])
def test_setup_first_player__may_be_agreed_and_then_nobody_rolls(first: int) -> None:
    happened = events(table(4, first_seat=first), 0, StartGame(), (1, 1))
    clockwise = tuple((first + step) % 4 for step in range(4))
    assert happened[-1] == FirstPlayerChosen(first, first, clockwise)
    assert not any(isinstance(event, StartRolled) for event in happened)


def test_setup_first_player__the_agreed_seat_keeps_the_start_when_seats_are_closed_up() -> None:
    """Of four seats, 0, 1, and 3 are taken. The player on 3 becomes player 2, still in quadrant 3, and starts."""
    happened = events(table(4, (0, 1, 3), opener=0, first_seat=3), 0, StartGame(), (1, 1))
    assert happened[-1] == FirstPlayerChosen(2, 3, (3, 0, 1))


def test_setup_first_player__dice_decide_when_nobody_took_the_agreed_seat() -> None:
    happened = events(table(4, (0, 1, 3), opener=0, first_seat=2), 0, StartGame(), (1, 1, 2, 6, 3))
    assert happened[-1] == FirstPlayerChosen(1, 1, (1, 3, 0))


def test_setup_first_player__the_agreed_seat_must_be_one_of_the_table() -> None:
    rejection = RULESET.open("game", Setup(seats=3, first_seat=3), ScriptedChance())
    assert isinstance(rejection, Rejection)
    assert (rejection.code, rejection.rule) == ("first_seat_unknown", "setup/first-player")
    assert (rejection.field, rejection.limit) == ("first_seat", 2)


# News


def test_setup_news__the_first_card_is_the_likelier_and_the_second_the_less_likely() -> None:
    """The third of eight is drawn, then the seventh of the seven that remain."""
    happened = events(table(4, first_seat=0), 0, StartGame(), (3, 7))
    turned = [event for event in happened if isinstance(event, NewsTurnedOver)]
    assert turned == [
        NewsTurnedOver("state_sales_tax", "likelier", Draw(1, 8, 3)),
        NewsTurnedOver("domestic_price_freeze", "less_likely", Draw(2, 7, 7)),
    ]


def test_setup_news__every_pair_of_cards_can_lie_open_and_the_others_are_the_pile() -> None:
    pairs = set()
    for first in range(1, 9):
        for second in range(1, 8):
            news = started(dice=(first, second)).news
            assert news.likelier is not None
            assert news.less_likely is not None
            assert sorted((news.likelier, news.less_likely, *news.pile)) == sorted(ALL_NEWS)
            pairs.add((news.likelier, news.less_likely))
    assert len(pairs) == 8 * 7


def test_setup_news__nobody_sees_the_order_of_the_pile() -> None:
    """The view is the same whatever order the state has the pile in."""
    state = started()
    backwards = msgspec.structs.replace(
        state, news=msgspec.structs.replace(state.news, pile=tuple(reversed(state.news.pile)))
    )
    assert view(state, 0) == view(backwards, 0)
    assert view(state, 0).news.pile == 6


# Target


@pytest.mark.parametrize(("target", "cash", "enough"), [(750, 749, False), (750, 750, True), (1000, 999, False)])
def test_setup_target__a_declaration_needs_750_or_in_the_long_game_1000(target: int, cash: int, enough: bool) -> None:
    state = situation(cash=cash)
    state = msgspec.structs.replace(state, phase="assets", setup=msgspec.convert({"target": target}, Setup))
    assert any(offer.command == "DeclareVictory" for offer in RULESET.offers(state, 0)) is enough


def test_setup_target__is_750_unless_the_long_game_is_chosen_and_nothing_else() -> None:
    assert Setup().target == 750
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"target": 800}, Setup)
