"""What the referee does for a player who sent no sheet."""

from msgspec import Struct

from mcmulti.domain.postal.refereeing.assets import AssetSold, RigConverted
from mcmulti.domain.postal.refereeing.dice import DiceRolled
from mcmulti.domain.postal.refereeing.production import GasolineSold
from mcmulti.domain.postal.sheets.defaults import OrdersMissing
from mcmulti.domain.postal.state import State
from tests.pure.mcmulti.situations import site
from tests.pure.postal.situations import A, refereed, situation, turn_of

HIT = "rig 3-5, rig 3-1, rig 6-5"
"""What row 3 and column 5 hit. Both cross in 3-5."""


def unattended(state: State) -> list[Struct]:
    """What happens in A's turn before the dice when nobody sent a sheet."""
    happened = turn_of(A, refereed(state, {})[0])
    return happened[: [type(event) for event in happened].index(DiceRolled)]


def struck(cash: int, conversions: int, hits: str = HIT) -> State:
    return situation(
        cash={A: cash}, assets={A: f"{hits}, rig 1-6"}, hits={A: hits}, struck={A: "3-5"}, conversions=conversions
    )


def test_postal_no_orders__a_rig_with_a_double_hit_is_converted() -> None:
    """The third conversion costs 30."""
    assert unattended(struck(30, 2)) == [OrdersMissing(A, 5), RigConverted(A, site("3-5"), 3, 30)]


def test_postal_no_orders__if_cash_is_short_all_other_rigs_hit_are_sold_for_it() -> None:
    """24 + 3 + 3 = 30. The rig at 1-6 was not hit and stays."""
    happened = unattended(struck(24, 2))
    assert happened == [
        OrdersMissing(A, 5),
        AssetSold(A, "rig", site("3-1"), 3),
        AssetSold(A, "rig", site("6-5"), 3),
        RigConverted(A, site("3-5"), 3, 30),
    ]


def test_postal_no_orders__all_of_them_even_if_one_would_do() -> None:
    """27 + 3 = 30 would be enough, but all are sold: 27 + 6 - 30 = 3 are left."""
    _, state = refereed(struck(27, 2), {})
    assert (state.players[A].cash, state.pieces(A)["rig"], state.pieces(A)["well"]) == (3, 1, 1)


def test_postal_no_orders__if_that_would_not_pay_for_it_nothing_is_done() -> None:
    """23 + 3 + 3 = 29 is not 30."""
    assert unattended(struck(23, 2)) == [OrdersMissing(A, 5)]


def test_postal_no_orders__without_a_double_hit_nothing_is_done() -> None:
    assert unattended(situation(assets={A: HIT}, hits={A: "rig 3-1"})) == [OrdersMissing(A, 5)]


def test_postal_no_orders__pumps_sell() -> None:
    """One barrel, at 26."""
    state = situation(gasoline=1, assets={A: "station 2-1"})
    happened, _ = refereed(state, {}, (2, 6, 5, 4, 5, 4, 5, 4))
    assert GasolineSold(A, (26,)) in happened
