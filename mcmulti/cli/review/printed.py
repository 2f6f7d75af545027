"""Winning chances and reviews as tables."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from mcmulti.projections.reviews import Estimate, Review, ReviewedMove

COSTLY = 10
"""How many decisions are listed if not all moves are."""
LEAST = 0.005
"""Decisions that cost less are not listed."""


def print_chances(names: Sequence[str], chances: Sequence[Estimate], out: Console) -> None:
    """Print each seat's chance to win."""
    table = Table("player", box=None)
    table.add_column("chance to win", justify="right")
    for name, chance in zip(names, chances, strict=True):
        table.add_row(name, percent(chance))
    out.print(table)


def print_review(review: Review, out: Console, *, every: bool) -> None:
    """Print the summary of the players, the turning points, and the costly decisions, or `every` move."""
    out.print(_how(review), soft_wrap=True)
    out.print()
    _print_players(review, out)
    out.print()
    out.print("Turning points" if review.turning_points else "Nothing changed much.", soft_wrap=True)
    for point in review.turning_points:
        out.print(f"  {point.seq}  {point.said}", soft_wrap=True)
    out.print()
    if every:
        _print_moves(review, out)
        return
    costly = sorted(filter(_costly, review.moves), key=lambda move: -_cost(move))[:COSTLY]
    out.print("Costly decisions" if costly else "No decision was clearly costly.", soft_wrap=True)
    for move in costly:
        assert move.player is not None
        name = review.players[move.player].name
        out.print(f"  {move.seq}  {name}, {100 * _cost(move):.1f} points: {move.said}", soft_wrap=True)
        if move.better is not None:
            out.print(f"       Better: {move.better}", soft_wrap=True)


def percent(estimate: Estimate) -> str:
    """A chance with its standard error."""
    error = "" if not estimate.error else f" ± {estimate.error:.1%}"
    return f"{estimate.value:.1%}{error}"


def _how(review: Review) -> str:
    ends = "a round, then a network" if review.learned else "the end of the game"
    alternatives = f"at least {_times(review.tried)}" if review.tried else "not all of them"
    how_often = _times(review.passes) if review.examined == review.commands else f"at least {_times(review.passes)}"
    played = f"Each position was played on {how_often} by {review.policy}, to {ends}"
    if review.examined < review.commands:
        return f"{played}. In this time, {review.examined} of {review.commands} commands could be examined."
    return f"{played}; alternatives {alternatives}."


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _print_players(review: Review, out: Console) -> None:
    table = Table(title="In points: 100 are a victory", title_justify="left")
    table.add_column("player")
    for column in ("decisions", "error rate", "start", "own moves", "others", "luck", "result", "without luck"):
        table.add_column(column, justify="right")
    for player in review.players:
        changes = [_points(change) for change in (player.own, player.others, player.luck)]
        table.add_row(
            player.name,
            str(player.decisions),
            f"{100 * player.error_rate:.1f}%",
            f"{100 * player.start:.1f}",
            *changes,
            f"{100 * player.result:.1f}",
            f"{100 * player.adjusted:.1f}",
        )
    out.print(table)


def _print_moves(review: Review, out: Console) -> None:
    table = Table(title="Chances after each move")
    table.add_column("event", justify="right")
    for player in review.players:
        table.add_column(player.name, justify="right")
    table.add_column("cost", justify="right")
    table.add_column("luck", justify="right")
    table.add_column("what happened")
    for move in review.moves:
        luck = "" if move.luck is None or move.player is None else _points(move.luck[move.player])
        cost = f"{100 * _cost(move):.1f}" if _costly(move) else ""
        table.add_row(str(move.seq), *(percent(chance) for chance in move.chances), cost, luck, move.said)
    out.print(table)


def _cost(move: ReviewedMove) -> float:
    return 0.0 if move.cost is None else move.cost.value


def _costly(move: ReviewedMove) -> bool:
    """Whether the cost is worth mentioning, and not just within twice its error."""
    return move.cost is not None and move.cost.value >= LEAST and move.cost.value > 2 * (move.cost.error or 0.0)


def _points(change: float) -> str:
    return f"{100 * change:+.1f}"
