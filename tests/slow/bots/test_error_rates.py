"""Error rates of reviews tell the strongest bot from weaker ones.

They do not rank those: a player that has lost all its chances cannot lose more, so later decisions of a random player
cost nothing.
"""

from statistics import fmean

from mcmulti.bots.strategies.magnate.magnate import Magnate
from mcmulti.bots.strategies.registry import strategy_for
from mcmulti.bots.strategies.tycoon import tycoon
from mcmulti.bots.strategy import Maker
from mcmulti.evaluation.policy import wanted
from mcmulti.evaluation.review import review
from mcmulti.library.game import load_game
from mcmulti.library.record import Record

NAMES = ("magnate", "tycoon", "random")
MAKERS: dict[str, Maker] = {
    "magnate": lambda seed: Magnate(seed, float("inf")),
    "tycoon": lambda _: tycoon,
    "random": strategy_for("mcmulti", "random"),
}
GAMES = 6
"""Every strategy has every seat twice."""
PASSES = 3


def _played(seed: int) -> Record:
    """A game of all three, in which the seats move on with the seed."""
    names = [NAMES[(seat + seed) % 3] for seat in range(3)]
    state = load_game("mcmulti", seats=3).new_initial_state(seed=seed, names=names)
    minds = [MAKERS[name](seed) for name in names]
    while not state.is_terminal():
        seat = state.current_player()
        for action in wanted(minds[seat], state, seat):
            state.apply_action(action, seat)
    return state.record()


def test_the_magnate_has_the_lowest_error_rate() -> None:
    costs: dict[str, list[float]] = {name: [] for name in NAMES}
    for seed in range(GAMES):
        reviewed = review(_played(seed), passes=PASSES)
        for move in reviewed.moves:
            if move.player is not None and move.cost is not None:
                costs[reviewed.players[move.player].name].append(move.cost.value)
        print({each.name: (each.decisions, round(100 * each.error_rate, 2)) for each in reviewed.players})
    rates = {name: fmean(each) for name, each in costs.items()}
    print(rates)
    assert rates["magnate"] < min(rates["tycoon"], rates["random"])
