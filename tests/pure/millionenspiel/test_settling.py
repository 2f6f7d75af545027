"""What fields and the decider bring and take, exchanges, and the end."""

import pytest
from msgspec.structs import replace

from mcmulti.domain.core.event import Event
from mcmulti.domain.core.table import SeedRevealed
from mcmulti.domain.core.tuples import put
from mcmulti.domain.millionenspiel import RULESET
from mcmulti.domain.millionenspiel.components import CARDS
from mcmulti.domain.millionenspiel.phases.ending import GameEnded
from mcmulti.domain.millionenspiel.phases.pensions import PensionPaid
from mcmulti.domain.millionenspiel.phases.returning import PiecesExchanged, StakeReturned
from mcmulti.domain.millionenspiel.phases.rounds import MillionAtStake
from mcmulti.domain.millionenspiel.phases.settling import DeciderThrown, NotesLost, StakeTaken, StakeWon
from mcmulti.domain.millionenspiel.phases.staking import Stake
from mcmulti.domain.millionenspiel.phases.throwing import PawnMoved
from mcmulti.domain.millionenspiel.pieces import Pieces, exchange, fewest
from mcmulti.domain.millionenspiel.view import MillionenspielView
from tests.pure.millionenspiel.situations import (
    BEIGE,
    BLACK,
    BLUE,
    GREEN,
    RED,
    YELLOW,
    after,
    hands,
    landing,
    money,
    of,
    settled,
    situation,
)

HANDS = {0: Pieces(3), 1: Pieces(4, thousands=1), 2: Pieces(5, 1)}
STAKES = {0: Pieces(2), 1: Pieces(tens=1, thousands=2)}
"""Ada has 3, and 2 staked. Ben has 1004, and 2010 staked. Cleo has 15, and nothing staked."""


@pytest.mark.parametrize(
    ("field", "left"),
    [
        (BLUE, [3 + 2 + 2, 1004 + 2010 + 2010, 15]),
        (YELLOW, [3 + 2 + 20, 1004 + 2010 + 20100, 15]),
        (RED, [3 + 2 + 200, 1004 + 2010 + 201000, 15]),
        (BEIGE, [3, 1004, 15]),
        (GREEN, [2, 2010, 0]),
    ],
)
def test_settle_colour__what_everybody_has_then(field: int, left: list[int]) -> None:
    state, events = settled(landing(field, HANDS, STAKES))
    assert money(state) == left
    assert state.roller == 1
    assert not of(events, DeciderThrown)


def test_settle_colour__all_in_on_red() -> None:
    """Five 1s staked are 505: 500 from the bank in five 100s, and the five 1s back."""
    state, events = settled(landing(RED, {}, {2: Pieces(5)}))
    assert of(events, StakeWon) == [StakeWon(2, 100, Pieces(hundreds=5))]
    assert hands(state)[2] == Pieces(ones=5, hundreds=5)


@pytest.mark.parametrize(
    ("die", "left"),
    [
        (1, [5, 3014, 15]),
        (2, [3, 3014, 15]),
        (3, [2, 3014, 15]),
        (4, [1005, 3014, 15]),
        (5, [5 + 2010, 1004, 15]),
        (6, [5 + 1004 + 15, 2010, 0]),
    ],
)
def test_settle_decider__each_of_the_six_faces(die: int, left: list[int]) -> None:
    """Ada has the dice and no notes: a 1 takes nothing from her. The others keep theirs in 1 to 4."""
    state, _ = settled(landing(BLACK, HANDS, STAKES), die)
    assert money(state) == left
    assert state.pawn == BLACK


def test_settle_decider__a_1_takes_all_notes_staked_and_not() -> None:
    """Ben has the dice: 1004 and 2010 staked leave four 1s and a 10."""
    state, events = settled(landing(BLACK, HANDS, STAKES, roller=1), 1)
    assert of(events, NotesLost) == [NotesLost(1, Pieces(thousands=2), Pieces(thousands=1))]
    assert hands(state)[1] == Pieces(ones=4, tens=1)


def test_settle_decider__a_4_is_one_note() -> None:
    state, _ = settled(landing(BLACK, HANDS, STAKES), 4)
    assert hands(state)[0] == Pieces(ones=5, thousands=1)


def test_settle_decider__stakes_are_gained_piece_by_piece() -> None:
    """Ben's ten 10s and Cleo's eight come as 18 chips: eight stay, and ten become a 100."""
    state, events = settled(landing(BLACK, {0: Pieces(1)}, {1: Pieces(tens=10), 2: Pieces(tens=8)}), 5)
    assert of(events, StakeTaken) == [StakeTaken(0, 1, Pieces(tens=10)), StakeTaken(0, 2, Pieces(tens=8))]
    assert of(events, PiecesExchanged) == [PiecesExchanged(0, Pieces(tens=10), Pieces(hundreds=1))]
    assert hands(state)[0] == Pieces(ones=1, tens=8, hundreds=1)


def test_settle_decider__the_field_with_the_arrow_is_black_like_every_other() -> None:
    _, events = settled(landing(56, HANDS, STAKES), 4)
    assert [event.die.value for event in of(events, DeciderThrown)] == [4]


@pytest.mark.parametrize(
    ("amount", "pieces"),
    [
        (50, Pieces(tens=5)),
        (1000, Pieces(thousands=1)),
        (201000, Pieces(thousands=1, hundred_thousands=2)),
        (2300045, Pieces(ones=5, tens=4, hundred_thousands=23)),
    ],
)
def test_bank_pieces__the_fewest(amount: int, pieces: Pieces) -> None:
    assert fewest(amount) == pieces


def test_bank_pieces__ten_of_a_kind_on_yellow_are_paid_in_a_higher_piece() -> None:
    """Ten 10s bring 1000: one note, and not a hundred 10s. Ten 10s stay ten."""
    state, _ = settled(landing(YELLOW, {}, {1: Pieces(tens=10)}))
    assert hands(state)[1] == Pieces(tens=10, thousands=1)


def test_purse_denominations__six_kinds_and_nothing_is_changed_downwards() -> None:
    assert Pieces(1, 1, 1, 1, 1, 1).worth == 111111
    given, got = exchange(Pieces(hundred_thousands=1))
    assert (given, got) == (Pieces(), Pieces())


@pytest.mark.parametrize(
    ("purse", "then"),
    [
        (Pieces(ones=10), Pieces(ones=10)),
        (Pieces(ones=11), Pieces(ones=1, tens=1)),
        (Pieces(ones=20), Pieces(ones=10, tens=1)),
        (Pieces(ones=21), Pieces(ones=1, tens=2)),
        (Pieces(hundred_thousands=12), Pieces(hundred_thousands=12)),
    ],
)
def test_purse_exchange__one_to_ten_stay(purse: Pieces, then: Pieces) -> None:
    given, got = exchange(purse)
    assert purse - given + got == then
    assert given.worth == got.worth


def test_purse_exchange__in_a_cascade() -> None:
    """Cleo has ten 1s, 10s, 100s, 1000s and 10000s and gets a 1 more: ten go for an eleventh 10, and so on."""
    purse = Pieces(9, 10, 10, 10, 10, 1)
    state, events = settled(landing(BLUE, {2: purse}, {2: Pieces(1)}))
    assert of(events, PiecesExchanged) == [
        PiecesExchanged(2, Pieces(10, 10, 10, 10, 10), Pieces(0, 1, 1, 1, 1, 1)),
    ]
    assert hands(state)[2] == Pieces(1, 1, 1, 1, 1, 2)
    assert money(state)[2] == purse.worth + 2


def test_purse_exchange__on_stake_and_rest_together_and_never_while_stakes_lie() -> None:
    """Six 1s staked and five in hand: on green, five are lost, and six are few. On blue, six come: 17 together."""
    state, events = settled(landing(GREEN, {0: Pieces(5)}, {0: Pieces(6)}))
    assert not of(events, PiecesExchanged)
    state, events = settled(landing(BLUE, {0: Pieces(5)}, {0: Pieces(6)}))
    kinds = [type(event) for event in events]
    assert kinds.index(StakeReturned) < kinds.index(PiecesExchanged)
    assert hands(state)[0] == Pieces(ones=7, tens=1)


def test_stake_return__what_is_left_goes_back_and_the_dice_to_the_left() -> None:
    state, events = settled(landing(GREEN, HANDS, STAKES))
    assert of(events, StakeReturned) == [StakeReturned(0, Pieces(2)), StakeReturned(1, Pieces(tens=1, thousands=2))]
    assert hands(state) == [Pieces(2), Pieces(tens=1, thousands=2), Pieces()]
    assert (state.roller, state.round) == (1, 2)
    last = settled(landing(GREEN, HANDS, STAKES, roller=2))[0]
    assert last.roller == 0


def test_end_million__after_the_settlement_before_any_pension() -> None:
    """Ben's 10000 on red become 1010000. What he has at stake counts, and is not returned."""
    state, events = settled(landing(RED, {}, {1: Pieces(ten_thousands=1)}))
    assert of(events, GameEnded) == [GameEnded("million", (0, 1010000, 0), 1)]
    assert state.winners == (1,)
    assert not of(events, StakeReturned)


def test_end_million__exactly_a_million_is_enough_and_one_less_is_not() -> None:
    """500000 doubled on blue; 999999 is not a million."""
    state, _ = settled(landing(BLUE, {}, {1: Pieces(hundred_thousands=5)}))
    assert state.winners == (1,)
    purse = Pieces(9, 9, 9, 9, 9, 9)
    state, _ = settled(landing(BLUE, {1: purse}, {}))
    assert (money(state)[1], state.winners) == (999999, ())


def test_end_million__looked_at_again_after_the_pension() -> None:
    """Cleo has 999500 and the card of 500. The pawn comes to field 1 past the arrow."""
    purse = Pieces(hundreds=5, thousands=9, ten_thousands=9, hundred_thousands=9)
    state, events = settled(landing(57, {0: Pieces(1), 2: purse}, {}, pensions={2: 500}))
    assert len(of(events, PensionPaid)) == 3
    assert (state.winners, money(state)[2]) == ((2,), 1000000)
    assert isinstance(events[-1], SeedRevealed)


def test_end_million__of_several_the_largest_total() -> None:
    stakes = {0: Pieces(hundred_thousands=5), 1: Pieces(hundred_thousands=6), 2: Pieces(hundred_thousands=5)}
    state, _ = settled(landing(BLUE, {}, stakes))
    assert state.winners == (1,)


def test_end_million__a_tie_goes_to_who_had_to_stake_first_even_if_it_passed() -> None:
    """Ada has the dice, so Ben had to stake first. He passed with a million less 5 in hand and gets his pension.

    Cleo and Ada also have a million when the pension is paid on the arrow: Ben wins.
    """
    near = Pieces(5, 9, 9, 9, 9, 9)
    state = landing(57, {0: near, 1: near, 2: near}, {})
    assert near.worth == 999995
    state, events = settled(state)
    assert of(events, GameEnded) == [GameEnded("million", (1000000, 1000000, 1000000), 1)]


@pytest.mark.parametrize(("roller", "winner"), [(0, 1), (1, 2), (2, 1)])
def test_end_million__who_passed_wins_a_tie_with_who_staked_if_it_had_to_stake_first(roller: int, winner: int) -> None:
    """Ben passes with 999995. Cleo has 999993 and stakes a 1, doubled on blue: with pensions, both have a million.

    If Ada has the dice, Ben had to stake before Cleo. If Ben has them, Cleo was first. If Cleo has them, Ben was.
    """
    purses = {0: Pieces(1), 1: Pieces(5, 9, 9, 9, 9, 9), 2: Pieces(3, 9, 9, 9, 9, 9)}
    state, events = settled(landing(57, purses, {2: Pieces(1)}, roller=roller))
    assert [event.seat for event in of(events, StakeWon)] == [2]
    assert of(events, GameEnded) == [GameEnded("million", (6, 1000000, 1000000), winner)]
    assert state.winners == (winner,)


TOLD = [
    (
        GameEnded("million", (1000000, 1000000, 20), 1),
        "The game is over: Ben has a million and wins the tie with Ada, because Ben had to stake first in the last"
        " round (Ben: 1,000,000, Ada: 1,000,000, Cleo: 20).",
        "Das Spiel ist aus: Ben hat eine Million und gewinnt den Gleichstand mit Ada, weil Ben in der letzten Runde"
        " zuerst setzen musste (Ben: 1.000.000, Ada: 1.000.000, Cleo: 20).",
    ),
    (
        GameEnded("million", (1000000, 1000001, 1000500), 2),
        "The game is over: Cleo has a million and wins (Cleo: 1,000,500, Ben: 1,000,001, Ada: 1,000,000).",
        "Das Spiel ist aus: Cleo hat eine Million und gewinnt (Cleo: 1.000.500, Ben: 1.000.001, Ada: 1.000.000).",
    ),
    (
        GameEnded("standstill", (5, 5, 5), 1),
        "The game is over: nobody staked anything for ten rounds. Ben has most money and wins the tie with Cleo and"
        " Ada, because Ben had to stake first in the last round (Ben: 5, Cleo: 5, Ada: 5).",
        "Das Spiel ist aus: Zehn Runden lang hat niemand gesetzt. Ben hat das meiste Geld und gewinnt den Gleichstand"
        " mit Cleo und Ada, weil Ben in der letzten Runde zuerst setzen musste (Ben: 5, Cleo: 5, Ada: 5).",
    ),
    (
        GameEnded("agreed", (700, 5, 2000), 2),
        "The game is over, as all agreed: Cleo has most money and wins (Cleo: 2,000, Ada: 700, Ben: 5).",
        "Das Spiel ist aus, wie vereinbart: Cleo hat das meiste Geld und gewinnt (Cleo: 2.000, Ada: 700, Ben: 5).",
    ),
]


@pytest.mark.parametrize(("ended", "english", "german"), TOLD)
def test_end_million__the_story_says_what_all_have_and_how_a_tie_was_broken(
    ended: GameEnded, english: str, german: str
) -> None:
    """Ada has the dice: Ben must stake first, then Cleo, then Ada."""
    state = landing(BLUE, {}, {})
    assert RULESET.texts.tell(state, ended, "en") == english
    assert RULESET.texts.tell(state, ended, "de") == german


def test_end_million__who_left_with_as_much_is_no_tie() -> None:
    state = landing(BLUE, {}, {})
    state = replace(state, player_ids=put(state.player_ids, 2, None))
    assert RULESET.texts.tell(state, GameEnded("agreed", (700, 5, 700), 0), "en") == (
        "The game is over, as all agreed: Ada has most money and wins (Ada: 700, Ben: 5, Seat 3, who left: 700)."
    )
    state = replace(state, player_ids=put(state.player_ids, 1, None))
    assert RULESET.texts.tell(state, GameEnded("left", (700, 5, 900), 0), "en") == (
        "The game is over: all others have left, and Ada wins (Ada: 700, Seat 3, who left: 900, Seat 2, who left: 5)."
    )


def test_end_million__by_the_decider() -> None:
    """Ada has 999000 in hand and throws a 4: the note of 1000 makes the million, and no further pension is paid."""
    state, events = settled(landing(56, {0: Pieces(thousands=9, ten_thousands=9, hundred_thousands=9)}, {}), 4)
    assert (state.winners, money(state)[0]) == ((0,), 1000000)
    assert not of(events, PensionPaid)


def test_end_million__who_takes_the_rest_of_all_may_have_it() -> None:
    """A 6: Ada's 500000 at stake stay hers, and she gains the 300000 and 200000 that Ben and Cleo did not stake."""
    purses = {1: Pieces(hundred_thousands=3), 2: Pieces(hundred_thousands=2)}
    stakes = {0: Pieces(hundred_thousands=5), 1: Pieces(ones=7)}
    state, events = settled(landing(BLACK, purses, stakes), 6)
    assert of(events, GameEnded) == [GameEnded("million", (1000000, 7, 0), 0)]
    assert state.winners == (0,)


def test_end_million__cards_do_not_count() -> None:
    """999999 and the card of 500 do not make a million."""
    state, _ = settled(landing(BLUE, {1: Pieces(9, 9, 9, 9, 9, 9)}, {}, pensions={1: CARDS[-1]}))
    assert state.winners == ()


@pytest.mark.parametrize(("ones", "near"), [(0, ()), (1, (2,))])
def test_end_at_stake__who_owns_9901_may_have_a_million(ones: int, near: tuple[int, ...]) -> None:
    """101 * 9901 = 1000001; 101 * 9900 = 999900."""
    state, events = settled(landing(BLUE, {0: Pieces(1), 2: Pieces(ones, 0, 9, 9)}, {}))
    assert of(events, MillionAtStake) == [MillionAtStake(near)] * len(near)
    assert state.at_stake == near


def test_end_at_stake__who_has_left_cannot_win_and_is_not_named() -> None:
    """Ben and Cleo own 9901 each, and Cleo has left."""
    rich = Pieces(1, 0, 9, 9)
    state = landing(BLUE, {0: Pieces(1), 1: rich, 2: rich}, {})
    state, _ = settled(replace(state, player_ids=put(state.player_ids, 2, None)))
    assert state.at_stake == (1,)


@pytest.mark.parametrize(
    ("stake", "near"),
    [
        (Pieces(1, 0, 9, 9), (1, 2)),  # all of the 9901
        (Pieces(0, 0, 9, 9), (2,)),  # 1 + 101 * 9900 = 999901
        (Pieces(thousands=1), (2,)),  # 8901 + 101000
        (Pieces(), (2,)),
    ],
)
def test_end_at_stake__who_staked_too_little_is_out_of_reach(stake: Pieces, near: tuple[int, ...]) -> None:
    """Ben and Cleo own 9901 each, Ben has staked, Cleo is asked, Ada rolls and has 1."""
    rich = Pieces(1, 0, 9, 9)
    state = situation({0: Pieces(1), 1: rich - stake, 2: rich}, {1: stake}, waiting=(2, 0), at_stake=(1, 2))
    assert state.in_reach == near
    shown = RULESET.view(state, None)
    assert isinstance(shown, MillionenspielView)
    assert shown.at_stake == near


def test_end_at_stake__the_roller_may_win_by_the_decider_what_others_have() -> None:
    """Ada rolls, has 10000 and staked nothing; Ben staked 990000, which a 5 brings her."""
    state = situation(
        {0: Pieces(ten_thousands=1)},
        {1: Pieces(hundred_thousands=9, ten_thousands=9)},
        phase="declining",
        at_stake=(0, 1),
    )
    assert state.in_reach == (0, 1)
    poorer = situation(
        {0: Pieces(ten_thousands=1)}, {1: Pieces(hundred_thousands=9)}, phase="declining", at_stake=(0, 1)
    )
    assert poorer.in_reach == (1,)


def test_table_standstill__ten_rounds_in_which_everybody_passed() -> None:
    """Nine are over. In the tenth, Ben is the only one who could stake, and passes: he has most."""
    state = situation({1: Pieces(5)}, waiting=(1, 2, 0), idle=9)
    state = after(state, 1, Stake(), (1, 2))
    state, events = settled(state)
    assert of(events, GameEnded) == [GameEnded("standstill", (0, 5, 0), 1)]
    assert (state.phase, state.winners) == ("over", (1,))


def test_table_standstill__of_equals_who_had_to_stake_first() -> None:
    state = landing(BLUE, dict.fromkeys(range(3), Pieces(5)), {}, roller=1, idle=9)
    assert settled(state)[0].winners == (2,)


def test_table_standstill__a_stake_begins_the_count_anew() -> None:
    state, _ = settled(landing(BLUE, {0: Pieces(5)}, {1: Pieces(1)}, idle=9))
    assert (state.phase, state.idle) == ("staking", 0)
    state, _ = settled(landing(BLUE, {0: Pieces(5)}, {}, idle=3))
    assert state.idle == 4


@pytest.mark.parametrize(
    ("event", "english", "german"),
    [
        (
            PawnMoved(8, 1, 0, "black"),
            "The pawn goes 8 steps to field 0, black, with the arrow.",
            "Die Figur geht 8 Schritte auf Feld 0, Schwarz, mit dem Pfeil.",
        ),
        (
            PawnMoved(8, 1, 5, "blue"),
            "The pawn goes 8 steps, past the arrow, to field 5, blue.",
            "Die Figur geht 8 Schritte, am Pfeil vorbei, auf Feld 5, Blau.",
        ),
        (
            NotesLost(1, Pieces(thousands=2), Pieces()),
            "Ben loses all notes: 2,000 (2 × 1,000) of the stake.",
            "Ben verliert alle Scheine: 2.000 (2 × 1.000) vom Einsatz.",
        ),
        (
            NotesLost(1, Pieces(), Pieces(thousands=1)),
            "Ben loses all notes: 1,000 (1 × 1,000) in hand.",
            "Ben verliert alle Scheine: 1.000 (1 × 1.000) aus der Hand.",
        ),
    ],
)
def test_the_sentence_says_which_of_it_happened(event: Event, english: str, german: str) -> None:
    state = situation({})
    assert RULESET.texts.tell(state, event, "en") == english
    assert RULESET.texts.tell(state, event, "de") == german
