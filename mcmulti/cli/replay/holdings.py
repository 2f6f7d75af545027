"""Everybody's holdings, as a table."""

from typing import NamedTuple

from mcmulti.cli.replay.story import Story
from mcmulti.domain.core.shown.gauges import Holding
from mcmulti.domain.core.wording.telling import Language, cash_word, word
from mcmulti.projections.labels import REPLAY


class HoldingRow(NamedTuple):
    """A seat: `has` is what it has, `more` how that changed in this event.

    By unit of the books, and the total worth if that is another number, in the order of `headings`.
    """

    seat: int
    name: str
    has: tuple[int, ...]
    more: tuple[int, ...]
    to_move: bool


def headings(story: Story, seq: int, language: Language) -> tuple[str, ...]:
    """The names of the columns after event `seq`. Empty before the start."""
    labels, ruleset = REPLAY[language], story.ruleset
    holdings = story.holdings(seq)
    if not holdings:
        return ()
    money, words = ruleset.books.money, ruleset.texts.words
    units = ((cash_word if unit == money else word)(words, language, unit) for unit in holdings[0].amounts)
    return (*units, *([] if holdings[0].worth is None else [labels.worth]))


def rows(story: Story, seq: int, language: Language) -> tuple[HoldingRow, ...]:
    """Everybody's holdings after event `seq`, with their changes by that event. Empty before the start."""
    before = {holding.seat: _figures(holding) for holding in story.holdings(seq - 1)}
    waited_for = story.to_move(seq)
    names = story.names(seq)
    table = []
    for holding in story.holdings(seq):
        has = _figures(holding)
        had = before.get(holding.seat, has)
        more = tuple(now - then for now, then in zip(has, had, strict=True))
        name = names[holding.seat] or f"{REPLAY[language].seat} {holding.seat + 1}"
        table.append(HoldingRow(holding.seat, name, has, more, holding.seat in waited_for))
    return tuple(table)


def _figures(holding: Holding) -> tuple[int, ...]:
    return (*holding.amounts.values(), *([] if holding.worth is None else [holding.worth]))
