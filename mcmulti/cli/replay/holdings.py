"""What everybody has, as a table."""

from typing import NamedTuple

from mcmulti.cli.replay.labels import LABELS
from mcmulti.cli.replay.story import Story
from mcmulti.domain.core.gauges import Holding
from mcmulti.domain.core.telling import Language

Figures = tuple[int, int, int, int]


class Row(NamedTuple):
    """A seat: `has` is what it has, `more` how that changed in this moment.

    Cash, crude, gasoline, net worth; money in millions of dollars, goods in barrels.
    """

    seat: int
    name: str
    has: Figures
    more: Figures
    to_move: bool


def headings(language: Language) -> tuple[str, str, str, str]:
    """The names of the figures."""
    labels = LABELS[language]
    return labels.cash, labels.crude, labels.gasoline, labels.worth


def rows(story: Story, seq: int, language: Language) -> tuple[Row, ...]:
    """What everybody has after event `seq`, next to what it was before the event; none before the start."""
    before = {holding.seat: _figures(holding) for holding in story.holdings(seq - 1)}
    waited_for = story.to_move(seq)
    names = story.names(seq)
    table = []
    for holding in story.holdings(seq):
        has = _figures(holding)
        had = before.get(holding.seat, has)
        more = (has[0] - had[0], has[1] - had[1], has[2] - had[2], has[3] - had[3])
        name = names[holding.seat] or f"{LABELS[language].seat} {holding.seat}"
        table.append(Row(holding.seat, name, has, more, holding.seat in waited_for))
    return tuple(table)


def _figures(holding: Holding) -> Figures:
    return holding.cash, holding.crude, holding.gasoline, holding.worth
