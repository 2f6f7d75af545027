"""How far to trust winning chances: predictions for games that bots play, compared with how those ended.

``python -m benchmarks.calibration`` measures all of `PLANS`, and ``--only mcmulti`` some. It writes
``calibration.json``, from which the tables and plots of docs/explanation/calibration.md are made. The same seeds give
the same file. No game is one that the bundled networks learned from. With a probability of one in four, a seat plays at
random. Otherwise it plays like rollouts.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean
from time import process_time

import click
import msgspec
from msgspec import Struct

from mcmulti.bots.strategies.magnate.features import features
from mcmulti.bots.strategies.magnate.network import chance_of, council
from mcmulti.bots.strategies.registry import strategy_for
from mcmulti.domain.rulesets import SHIPPED
from mcmulti.evaluation.evaluate import estimated, evaluate
from mcmulti.evaluation.learned import WEIGHTS, is_learned
from mcmulti.evaluation.policy import RolloutPlayers, policy_of, wanted
from mcmulti.evaluation.rollouts import VictoryShares, shares_of
from mcmulti.library.game import Game, load_game
from mcmulti.library.state import State
from mcmulti.projections.charts.drawing import Curve, draw_lines
from mcmulti.projections.reviews import Estimate
from tests.profiles import profile_of

KEPT = Path(__file__).with_name("calibration.json")
PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
RANDOM = 0.25
"""The number of seats that play at random."""
MOST_DECISIONS = 4_000
BINS = 10
"""Predicted chances are counted in this many bins of equal size."""
SHOWN = 10
"""The fewest predictions of a bin in a plot."""


class Plan(Struct, frozen=True):
    """What is measured: `games` of a rule set, random `positions` of each, and `rollouts` from each of these."""

    ruleset: str
    seats: int
    games: int
    positions: int
    rollouts: int
    seed: int = 1

    @property
    def name(self) -> str:
        """The name of its plot."""
        return f"calibration-{self.ruleset}-{self.seats}"


PLANS = tuple(Plan(name, *each) for name in SHIPPED for each in profile_of(name).calibrated)


class Bin(Struct, frozen=True):
    """Predictions of about the same chance: how many there are, their mean, and the part that won.

    `error`: the standard error of that part. Positions of one game are not independent, so it counts games.
    """

    count: int
    predicted: float
    won: float
    error: float


class Prediction(Struct, frozen=True):
    """A way to predict. `worse`: its Brier score minus that of the rollouts in the same games."""

    name: str
    brier: Estimate
    worse: Estimate
    bins: tuple[Bin | None, ...]


class Calibration(Struct, frozen=True):
    """What a plan found. `policy`: the bots of games and rollouts."""

    plan: Plan
    policy: str
    predictions: tuple[Prediction, ...]


Predicted = Sequence[tuple[float, float]]
"""The predicted chance of each position and seat of a game, and the seat's share of the victory."""


def kept() -> tuple[Calibration, ...]:
    """The last results."""
    return msgspec.json.decode(KEPT.read_bytes(), type=tuple[Calibration, ...])


def measured(plan: Plan, done: Callable[[int], None] = lambda _: None) -> Calibration:
    """Play the games and compare predictions with results. `done`: called with the number of games so far."""
    found: dict[str, list[Predicted]] = {}
    for number in range(plan.games):
        for name, pairs in predicted(plan, number).items():
            found.setdefault(name, []).append(pairs)
        done(number + 1)
    return Calibration(plan, policy_of(plan.ruleset), tuple(compared(found)))


def predicted(plan: Plan, number: int) -> dict[str, Predicted]:
    """What each way predicts in a game; nothing if that did not end."""
    line = played(load_game(plan.ruleset, seats=plan.seats), plan.seed * 1_000_000 + number)
    if not line[-1].is_terminal():
        return {}
    result = shares_of(line[-1])
    chosen = Random(f"{plan.seed} {number}").sample(line[:-1], min(plan.positions, len(line) - 1))
    evaluated = [evaluate(state, rollouts=plan.rollouts, seed=number) for state in chosen]
    ways = {"rollouts": [tuple(chance.value for chance in each.chances) for each in evaluated]}
    if is_learned(plan.ruleset):
        ways["network alone"] = [network_alone(state) for state in chosen]
    ways["share of cash"] = [money_shares(state) for state in chosen]
    ways["equal chances"] = [(1 / plan.seats,) * plan.seats for _ in chosen]
    return {
        name: [pair for each in chances for pair in zip(each, result, strict=True)] for name, chances in ways.items()
    }


def compared(found: dict[str, list[Predicted]]) -> Iterator[Prediction]:
    """The predictions of each way, game by game; the first one is compared with the others."""
    scores = {name: [brier(game) for game in games] for name, games in found.items()}
    first = next(iter(scores.values()))
    for name, games in found.items():
        worse = [own - other for own, other in zip(scores[name], first, strict=True)]
        yield Prediction(name, _mean(scores[name]), _mean(worse), tuple(binned(games)))


def brier(game: Predicted) -> float:
    """The mean square of the difference between chances and results."""
    return fmean((chance - won) ** 2 for chance, won in game)


def _mean(numbers: Sequence[float]) -> Estimate:
    found = estimated(numbers)
    return Estimate(round(found.value, 4), round(found.error or 0.0, 4))


def binned(games: Sequence[Predicted]) -> Iterator[Bin | None]:
    """The bins, from the lowest chances to the highest; None without any prediction."""
    for place in range(BINS):
        here = [[pair for pair in game if min(int(pair[0] * BINS), BINS - 1) == place] for game in games]
        pairs = [pair for game in here for pair in game]
        if not pairs:
            yield None
            continue
        won = fmean(result for _, result in pairs)
        surplus = sum(sum(result - won for _, result in game) ** 2 for game in here)
        predicted = fmean(chance for chance, _ in pairs)
        yield Bin(len(pairs), round(predicted, 4), round(won, 4), round(sqrt(surplus) / len(pairs), 4))


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
    table, weighing = state.table, council(WEIGHTS)
    chances = [chance_of(weighing(features(table, seat, rolls=False))) for seat in range(len(table.players))]
    return tuple(chance / sum(chances) for chance in chances)


def money_shares(state: State) -> VictoryShares:
    """Each seat's share of all money."""
    books = state.game.ruleset.books
    money = [holding.amounts[books.money] for holding in books.gauges(state.table).holdings]
    total = sum(money)
    return tuple(each / total if total else 1 / len(money) for each in money)


# The page


def tables() -> str:
    """The results as Markdown, with the plots."""
    return "\n\n".join(_section(found) for found in kept())


def _section(found: Calibration) -> str:
    plan, rollouts = found.plan, found.predictions[0]
    scores = [
        f"| {each.name} | {_with_error(each.brier)} | {'' if each is rollouts else _with_error(each.worse)} |"
        for each in found.predictions
    ]
    bins = [
        f"| {place / BINS:.0%} to {(place + 1) / BINS:.0%} | {each.count} | {each.predicted:.0%} | "
        f"{each.won:.0%} ± {each.error:.0%} |"
        for place, each in enumerate(rollouts.bins)
        if each is not None
    ]
    return "\n".join(
        (
            f"### {_title(plan)}",
            "",
            f"{plan.games} games, {plan.positions} positions of each, {plan.rollouts} rollouts from each position by "
            f"`{found.policy}`.",
            "",
            f"![{_title(plan)}: predicted chances and victories](../pictures/{plan.name}.svg)",
            "",
            "| prediction | Brier score | worse than rollouts by |",
            "|---|---|---|",
            *scores,
            "",
            "| chance by rollouts | predictions | their mean | victories |",
            "|---|---|---|---|",
            *bins,
        )
    )


def _title(plan: Plan) -> str:
    return f"{load_game(plan.ruleset, seats=plan.seats).ruleset.title}, {plan.seats} players"


def _with_error(found: Estimate) -> str:
    return f"{found.value:.3f} ± {found.error or 0.0:.3f}"


def plot(found: Calibration) -> bytes:
    """The reliability of each way to predict, as SVG: on the diagonal, chances come true as often as predicted."""
    lines = [Curve("exact", ((0, 0), (100, 100)))]
    for each in found.predictions[:-1]:
        shown = [one for one in each.bins if one is not None and one.count >= SHOWN]
        lines.append(Curve(each.name, tuple((round(100 * one.predicted), round(100 * one.won)) for one in shown)))
    told = ", ".join(f"predicted {x}%: won {y}%" for x, y in lines[1].points)
    return draw_lines(
        f"{_title(found.plan)}: victories in percent",
        f"Rollouts: {told}.",
        "predicted chance in percent",
        "",
        lines,
        (),
        write=lambda value: f"{value:g}",
    )


def write(calibrations: Iterable[Calibration]) -> None:
    """Store the results, and their plots."""
    found = tuple(calibrations)
    KEPT.write_bytes(msgspec.json.format(msgspec.json.encode(found)) + b"\n")
    for each in found:
        (PICTURES / f"{each.plan.name}.svg").write_bytes(plot(each) + b"\n")


@click.command(help=__doc__)
@click.option("--only", help="Measure only games of this rule set; the results of the others stay.")
def main(only: str | None) -> None:
    found = {each.plan.name: each for each in kept()} if KEPT.is_file() else {}
    for plan in PLANS:
        if only in (None, plan.ruleset):
            began = process_time()
            found[plan.name] = measured(plan, partial(_say, plan.games))
            write(found[each.name] for each in PLANS if each.name in found)
            click.echo(f"{plan.name}: {process_time() - began:.0f} s of processor time", err=True)


def _say(games: int, number: int) -> None:
    if number % 10 == 0:
        click.echo(f"{number} of {games} games", err=True)


if __name__ == "__main__":
    main()
