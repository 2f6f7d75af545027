"""The examples of rules and guide, carried out."""

from mcmulti.domain.millionenspiel.pieces import Pieces
from tests.pure.guided import after_the_example
from tests.pure.millionenspiel import situations as ring


def test_game_turn__the_example_of_the_guide() -> None:
    """12 + 100 = 112, 6, 5 + 30 = 35, and 4 + 40 = 44."""
    assert [player.money for player in after_the_example("millionenspiel").table.players] == [112, 6, 35, 44]


def test_game_example__of_the_millionenspiel() -> None:
    """Two in hand, and three at stake that gain thirty: 35."""
    state = ring.landing(ring.YELLOW, {1: Pieces(2)}, {1: Pieces(3)})
    after, _ = ring.settled(state)
    assert after.players[1].money == 35
