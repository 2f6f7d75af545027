"""How far to trust winning chances: Brier scores of predictions for games that bots play.

``python -m benchmarks.calibration`` prints the tables of docs/explanation/winning-chances.md. The games are not those
that the bundled networks were trained on. With a probability of one in four, a seat plays at random. Otherwise it plays
like rollouts.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random
from statistics import fmean, stdev

import click

from mcmulti.bots.strategies.magnate.features import features
from mcmulti.bots.strategies.magnate.network import chance_of, council
from mcmulti.bots.strategies.registry import strategy_for
from mcmulti.evaluation.evaluate import evaluate
from mcmulti.evaluation.policy import RolloutPlayers, policy_of, wanted
from mcmulti.evaluation.rollouts import VictoryShares, shares_of
from mcmulti.library.game import Game, load_game
from mcmulti.library.state import State

RANDOM = 0.25
"""The number of seats that play at random."""
MOST_DECISIONS = 4_000
BINS = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.01)
"""The limits of the bins of predicted chances."""


class Predicted:
    """Predictions of one kind, and the result of each seat."""

    def __init__(self) -> None:
        self.scores: list[float] = []
        """The Brier score of every game: the mean of its positions and seats."""
        self.seats: list[tuple[float, float]] = []

    def add(self, positions: Sequence[VictoryShares], result: VictoryShares) -> None:
        errors = [(chance - won) ** 2 for chances in positions for chance, won in zip(chances, result, strict=True)]
        self.scores.append(fmean(errors))
        self.seats += [pair for chances in positions for pair in zip(chances, result, strict=True)]

    def brier(self) -> str:
        return f"{fmean(self.scores):.3f} ± {stdev(self.scores) / len(self.scores) ** 0.5:.3f}"

    def reliability(self) -> Iterator[tuple[str, int, float, float]]:
        """For each bin: its name, the number of predictions, their mean, and the actual share of victories."""
        for low, high in pairwise(BINS):
            here = [pair for pair in self.seats if low <= pair[0] < high]
            if here:
                name = f"{low:.0%} to {min(high, 1):.0%}"
                yield name, len(here), fmean(pair[0] for pair in here), fmean(pair[1] for pair in here)


def played(game: Game, seed: int) -> list[State]:
    """All positions of a game before a decision, and the last one."""
    random = Random(seed)
    seats = range(game.num_players())
    wild = {seat for seat in seats if random.random() < RANDOM}
    any_move = strategy_for(game.name, "random")(seed)
    players, state = RolloutPlayers(game, seed), game.new_initial_state(seed=seed)
    positions: list[State] = []
    while not state.is_terminal() and len(positions) < MOST_DECISIONS:
        positions.append(state.clone())
        seat = state.current_player()
        moves = wanted(any_move, state, seat) if seat in wild else []
        if moves:
            state.apply_action(moves[0], seat)
        else:
            players.move(state)
    return [*positions, state]


def network_alone(state: State) -> VictoryShares:
    """The prediction of the networks of the box game, without any rollout."""
    chances = [
        chance_of(council()(features(state.table, seat, rolls=False))) for seat in range(len(state.table.players))
    ]
    return tuple(chance / sum(chances) for chance in chances)


def money_shares(state: State) -> VictoryShares:
    """Each seat's share of all money."""
    books = state.game.ruleset.books
    money = [holding.amounts[books.money] for holding in books.gauges(state.table).holdings]
    total = sum(money)
    return tuple(each / total if total else 1 / len(money) for each in money)


@click.command()
@click.option("--ruleset", default="mcmulti", show_default=True)
@click.option("--seats", default=4, show_default=True)
@click.option("--games", default=60, show_default=True)
@click.option("--positions", default=4, show_default=True, help="Random positions of each game.")
@click.option("--rollouts", default=8, show_default=True)
@click.option("--seed", default=1, show_default=True)
def calibration(ruleset: str, seats: int, games: int, positions: int, rollouts: int, seed: int) -> None:
    """Print Brier scores, and the reliability of the rollouts."""
    game = load_game(ruleset, seats=seats)
    kinds = {name: Predicted() for name in ("rollouts", "network alone", "share of money", "equal chances")}
    for number in range(games):
        line = played(game, seed * 1_000_000 + number)
        if not line[-1].is_terminal():
            continue
        result, random = shares_of(line[-1]), Random(f"{seed} {number}")
        chosen = random.sample(line[:-1], min(positions, len(line) - 1))
        evaluated = [evaluate(state, rollouts=rollouts, seed=number) for state in chosen]
        kinds["rollouts"].add([tuple(chance.value for chance in found.chances) for found in evaluated], result)
        if ruleset == "mcmulti":
            kinds["network alone"].add([network_alone(state) for state in chosen], result)
        kinds["share of money"].add([money_shares(state) for state in chosen], result)
        kinds["equal chances"].add([(1 / seats,) * seats for _ in chosen], result)
    print(f"{ruleset}, {seats} seats, {len(kinds['rollouts'].scores)} games by {policy_of(ruleset)} and random")
    for name, predicted in kinds.items():
        if predicted.scores:
            print(f"| {name} | {predicted.brier()} |")
    for name, count, said, came in kinds["rollouts"].reliability():
        print(f"| {name} | {count} | {said:.0%} | {came:.0%} |")


if __name__ == "__main__":
    calibration()
