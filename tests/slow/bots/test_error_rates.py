"""Error rates of reviews rank bots by their strength, also where weak ones have few chances left to lose."""

from statistics import fmean

from mcmulti.bots.strategies.magnate.magnate import Magnate
from mcmulti.bots.strategies.registry import strategy_for
from mcmulti.bots.strategies.tycoon import tycoon
from mcmulti.bots.strategy import Maker
from mcmulti.evaluation.policy import wanted
from mcmulti.evaluation.reviews.review import review
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


def test_error_rates_rank_magnate_tycoon_and_random() -> None:
    rates: dict[str, list[float]] = {name: [] for name in NAMES}
    for seed in range(GAMES):
        for player in review(_played(seed), passes=PASSES).players:
            rates[player.name].append(player.error_rate)
    print(rates)
    means = [fmean(rates[name]) for name in NAMES]
    assert means[0] < means[1] < means[2]
    assert all(random > max(others) for *others, random in zip(*rates.values(), strict=True)), "in every game"
