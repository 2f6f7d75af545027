"""Throws, doubles, moves and pensions."""

import pytest
from msgspec.structs import replace

from mcmulti.domain.core.chance import ChanceWithheld, WithheldChance
from mcmulti.domain.millionenspiel import RULESET
from mcmulti.domain.millionenspiel.components import Card
from mcmulti.domain.millionenspiel.phases.pensions import BuyPension, PensionPaid
from mcmulti.domain.millionenspiel.phases.settling import StakeWon
from mcmulti.domain.millionenspiel.phases.staking import Stake
from mcmulti.domain.millionenspiel.phases.throwing import (
    AcceptThrow,
    DeclineThrow,
    PawnMoved,
    ReplacementThrown,
    ThrownAgain,
)
from mcmulti.domain.millionenspiel.pieces import Pieces
from tests.pure.millionenspiel.situations import (
    BEIGE,
    BLUE,
    RED,
    after,
    hands,
    happened,
    landing,
    of,
    offered,
    refused,
    settled,
    situation,
    throw,
)

SOME = {seat: Pieces(5) for seat in range(3)}


def test_roll_decline__the_first_throw_once_and_what_replaces_it_stands() -> None:
    """A 1 and a 2 are declined, 2 and 3 are thrown instead: five steps to field 5."""
    state = after(situation(SOME, waiting=(0,)), 0, Stake(), (1, 2))
    assert refused(state, 1, DeclineThrow()).code == "out_of_turn"
    state, events = happened(state, 0, DeclineThrow(), (2, 3))
    assert [event.throw.sum for event in of(events, ReplacementThrown)] == [5]
    assert of(events, PawnMoved) == [PawnMoved(5, 0, 5, "blue")]
    assert refused(state, 1, DeclineThrow()).code == "out_of_turn", "Ben has the dice, Cleo stakes"


def test_roll_decline__a_double_declined_and_a_double_in_the_replacement() -> None:
    """A double of 6 is declined. A double of 2 in its place forces another throw, 1 and 2: 4 + 3 steps to field 7."""
    state = after(situation(SOME, waiting=(0,)), 0, Stake(), (6, 6))
    _, events = happened(state, 0, DeclineThrow(), (2, 2, 1, 2, 4))
    assert [event.throw.sum for event in of(events, ThrownAgain)] == [3]
    assert of(events, PawnMoved) == [PawnMoved(7, 0, 7, "black")]


def test_roll_double__an_accepted_double_forces_another_throw_and_so_on() -> None:
    """Doubles of 1 and of 2, then 1 and 2: 2 + 4 + 3 = 9, beige. Blue 2, which it passed, brings nothing."""
    state = landing(0, SOME, {}, pawn=0, throws=(throw(1, 1),))
    state, events = settled(state, 2, 2, 1, 2)
    assert of(events, PawnMoved) == [PawnMoved(9, 0, 9, "beige")]
    assert not of(events, StakeWon)


def test_pension_pay__coming_to_the_arrow_pays_and_leaving_it_does_not() -> None:
    """From 53, three steps to the arrow. There the decider, a 4, comes before the pension."""
    state = landing(56, SOME, {}, pensions={1: 50, 2: 500})
    state, events = settled(state, 4)
    assert state.pawn == 0
    assert hands(state) == [Pieces(ones=10, thousands=1), Pieces(ones=5, tens=5), Pieces(ones=5, hundreds=5)]
    kinds = [type(event).__name__ for event in events]
    assert kinds.index("ThousandWon") < kinds.index("PensionPaid")
    _, events = settled(landing(BLUE, SOME, {}))
    assert not of(events, PensionPaid)


def test_pension_pay__two_laps_in_one_move_pay_twice() -> None:
    """From 50: doubles of 6 five times, then 1 and 2: 63 steps, 113 = 2 * 56 + 1.

    Two pensions of 500 are ten 100s, which stay. Ada has 5 + 10 ones, and exchanges ten.
    """
    state = landing(0, SOME, {}, pawn=50, throws=(throw(6, 6),), pensions={1: 50, 2: 500})
    state, events = settled(state, 6, 6, 6, 6, 6, 6, 6, 6, 1, 2)
    assert of(events, PawnMoved) == [PawnMoved(63, 2, 1, "blue")]
    assert [event.times for event in of(events, PensionPaid)] == [2, 2, 2]
    assert hands(state) == [Pieces(ones=5, tens=1), Pieces(ones=5, tens=10), Pieces(ones=5, hundreds=10)]


def test_pension_cards__are_no_money_and_everybody_can_have_the_best() -> None:
    """Five cards of 500 are open at once. Their value does not count."""
    best: dict[int, Card] = dict.fromkeys(range(5), 500)
    state = situation({}, seats=5, pensions=best, waiting=(0,))
    assert [player.money for player in state.players] == [0] * 5
    bought = situation({0: Pieces(1, ten_thousands=1)}, seats=5, pensions={**best, 0: 50})
    bought = after(replace(bought, waiting=(0,)), 0, BuyPension(ten_thousands=1))
    assert [player.pension for player in bought.players] == [500] * 5


def test_chance_one_draw__what_is_decided_before_dice_draws_none() -> None:
    """The last stake, and accepting or declining the first throw, draw dice. An earlier stake does not."""
    state = situation(SOME, waiting=(1, 0))
    RULESET.decide(state, 1, Stake(), WithheldChance())
    for moment, command in ((situation(SOME, waiting=(0,)), Stake()), (landing(0, SOME, {}, pawn=4), AcceptThrow())):
        try:
            RULESET.decide(moment, 0, command, WithheldChance())
        except ChanceWithheld:
            continue
        raise AssertionError(command)


@pytest.mark.parametrize(
    ("field", "english", "german"),
    [
        (BEIGE, "beige: stakes are lost.", "Beige: Einsätze sind verloren."),
        (RED, "red: stakes gain 100 times as much.", "Rot: Einsätze gewinnen das 100-Fache."),
        (
            57,
            "blue: stakes gain as much again; pensions are paid.",
            "Blau: Einsätze gewinnen noch einmal so viel; Renten werden gezahlt.",
        ),
    ],
)
def test_roll_decline__the_offer_says_where_the_pawn_lands_and_what_that_means(
    field: int, english: str, german: str
) -> None:
    """A 1 and a 2 lead there. Field 57 is field 1, behind the arrow."""
    state = landing(field, {}, {})
    [offer] = offered(state, state.roller, "AcceptThrow")
    assert RULESET.texts.tell_offer(state, offer, "en") == (
        f"Let the throw stand: 1 and 2. The pawn lands on {field % 56}, {english}"
    )
    assert RULESET.texts.tell_offer(state, offer, "de").endswith(f"Die Figur kommt auf {field % 56}, {german}")


def test_roll_decline__the_offer_says_what_a_declined_throw_leads_to() -> None:
    """From field 40, of the 36 throws of two dice without doubles: 3, 4, 10 and 11 come 2 times each, 7 comes 6 times,
    and the others 4 times. So red (43, 45, 47, 50) comes 2 + 4 + 6 + 2 = 14 times, beige (44, 46, 48, 51) 2 + 4 + 4 + 2
    = 12 times, and black (49) 4 times."""
    state = landing(RED, {}, {})
    [offer] = offered(state, state.roller, "DeclineThrow")
    assert RULESET.texts.tell_offer(state, offer, "en") == (
        "Decline the throw, 1 and 2, and throw once more; that throw stands. Of 36 throws, 6 are doubles, after which"
        " another follows; the others lead to red 14 times (43, 45, 47 and 50: stakes gain 100 times as much), to beige"
        " 12 times (44, 46, 48 and 51: stakes are lost), to black 4 times (49: the decider is thrown)."
    )
    assert RULESET.texts.tell_offer(state, offer, "de") == (
        "Den Wurf, 1 und 2, ablehnen und noch einmal würfeln; der neue Wurf gilt. Von 36 Würfen sind 6 ein Pasch, nach"
        " dem ein weiterer folgt; die anderen führen 14-mal auf Rot (43, 45, 47 und 50: Einsätze gewinnen das"
        " 100-Fache), 12-mal auf Beige (44, 46, 48 und 51: Einsätze sind verloren), 4-mal auf Schwarz (49: der"
        " Entscheidungswurf fällt)."
    )


def test_roll_double__the_offer_says_where_the_throw_after_a_double_leads() -> None:
    """A double of 2 from field 36 leads on as from field 40."""
    state = landing(RED, {}, {}, pawn=36, throws=(throw(2, 2),))
    [offer] = offered(state, state.roller, "AcceptThrow")
    assert RULESET.texts.tell_offer(state, offer, "en").startswith(
        "Let the throw stand: 2 and 2. A double: another throw follows. Of 36 throws, 6 are doubles, after which"
        " another follows; the others lead to red 14 times (43, 45, 47 and 50: stakes gain 100 times as much), "
    )


def test_roll_decline__the_offer_says_that_a_throw_to_the_arrow_pays_pensions() -> None:
    """From field 53, three steps lead to the arrow: all throws pay pensions. From 46, ten and eleven steps do, and from
    40 none does."""
    paid = "From the arrow on, pensions are paid."
    for pawn, pays in ((53, True), (46, True), (44, False), (40, False)):
        state = landing(pawn + 3, {}, {})
        [offer] = offered(state, state.roller, "DeclineThrow")
        assert RULESET.texts.tell_offer(state, offer, "en").endswith(f"). {paid}") is pays, pawn
    state = landing(56, {}, {})
    [offer] = offered(state, 0, "DeclineThrow")
    assert "to black 4 times (the arrow and 7: the decider is thrown)" in RULESET.texts.tell_offer(state, offer, "en")
    assert "4-mal auf Schwarz (der Pfeil und 7: " in RULESET.texts.tell_offer(state, offer, "de")


def test_settle_colour__the_offer_of_a_stake_says_what_each_color_brings_and_takes() -> None:
    """10,000 + 2 * 100 + 3 = 10,203: once on blue, ten times on yellow, a hundred times on red."""
    state = situation({1: Pieces(3, hundreds=2, ten_thousands=1)}, waiting=(1, 2, 0))
    [offer] = offered(state, 1, "Stake")
    assert RULESET.texts.tell_offer(state, offer, "en") == (
        "Stake up to 1 × 10,000, 2 × 100 and 3 × 1, or nothing. All of it wins 10,203 on blue, 102,030 on yellow and"
        " 1,020,300 on red. Beige takes your stake, and green what you do not stake. On black the roller throws the"
        " decider: 5 takes your stake and 6 takes what you do not stake."
    )
    assert RULESET.texts.tell_offer(state, offer, "de") == (
        "Bis zu 1 × 10.000, 2 × 100 und 3 × 1 setzen, oder nichts. Alles zusammen gewinnt auf Blau 10.203, auf Gelb"
        " 102.030 und auf Rot 1.020.300. Beige nimmt dir den Einsatz, Grün alles nicht Gesetzte. Auf Schwarz macht,"
        " wer gewürfelt hat, den Entscheidungswurf: 5 nimmt dir den Einsatz und 6 nimmt dir alles nicht Gesetzte."
    )


def test_settle_decider__the_roller_is_told_at_its_stake_what_each_face_does() -> None:
    state = situation({0: Pieces(5)}, waiting=(0,))
    [offer] = offered(state, 0, "Stake")
    assert RULESET.texts.tell_offer(state, offer, "en").endswith(
        " On black you throw the decider: 1 takes all your notes, 2 takes your stake, 3 takes what you do not stake, 4"
        " brings you 1,000, 5 brings you all stakes of the others and 6 brings you all that they do not stake."
    )
    assert RULESET.texts.tell_offer(state, offer, "de").endswith(
        " Auf Schwarz machst du den Entscheidungswurf: 1 nimmt dir alle Scheine, 2 nimmt dir den Einsatz, 3 nimmt dir"
        " alles nicht Gesetzte, 4 bringt dir 1.000, 5 bringt dir alle Einsätze der anderen und 6 bringt dir alles nicht"
        " Gesetzte der anderen."
    )
