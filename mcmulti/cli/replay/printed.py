"""The story as plain text: a line per event or a paragraph per turn, and any moment with its board."""

import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.cells import cell_len

from mcmulti.cli.replay.story import HoldingRow, Story
from mcmulti.domain.core.wording.telling import Language
from mcmulti.projections.labels import REPLAY
from mcmulti.projections.pictures.fit import in_cells, in_rows
from mcmulti.projections.reports.replay import By
from mcmulti.projections.terminal.board import drawn

WIDTH = 80
"""Width of a board, and of a paragraph, in columns."""
NAME = 24
"""Width of a name in the table of holdings, in columns."""


def story_lines(story: Story, first: int, last: int, language: Language, by: By) -> Iterator[str]:
    """The lines of the story from event `first` to `last`, with a heading for each turn. Paragraphs leave out `quiet`
    lines.
    """
    lines = story.lines(language)[first - 1 : last]
    for number, (_, turn) in enumerate(groupby(lines, lambda line: line.turn)):
        events = tuple(turn)
        if number:
            yield ""
        yield heading(story, events[0].seq, language)
        if by == "event":
            yield from (f"{line.seq:>6}  {line.sentence}  [{line.rule}]" for line in events)
        else:
            paragraph = " ".join(line.sentence for line in events if not line.quiet)
            yield textwrap.fill(paragraph, WIDTH, break_long_words=False, break_on_hyphens=False)


def heading(story: Story, seq: int, language: Language) -> str:
    """The turn that event `seq` belongs to, and everybody's cash before the event."""
    labels = REPLAY[language]
    turn = story.turn(seq)
    cash = (f"{row.name} {row.has[0]}" for row in story.rows(seq - 1, language)) if seq > 1 else ()
    return " · ".join((f"{labels.turn} {turn}" if turn else labels.before_turns, *cash))


def moment(story: Story, seq: int, language: Language) -> Iterator[str]:
    """The game after event `seq`: the event and its rule, the board, the holdings."""
    line = story.lines(language)[seq - 1]
    yield f"{_where(story, seq, language)}: {line.sentence}  [{line.rule}]"
    yield from textwrap.wrap(story.rule_text(seq, language), WIDTH)
    picture = story.picture(seq, language)
    if picture is not None:
        yield ""
        yield from (row.rstrip() for row in drawn(picture, WIDTH).plain.splitlines())
    yield from _holdings(story.rows(seq, language), story.headings(seq, language))


def _holdings(holding: Sequence[HoldingRow], figures: Sequence[str]) -> Iterator[str]:
    """Everybody's holdings. Columns that do not fit go into a second table below."""
    if not holding:
        return
    widths = [max(cell_len(figure), 6) + 2 for figure in figures]
    columns = enumerate(zip(figures, widths, strict=True))
    for group in in_rows(widths, WIDTH - NAME):
        shown = [next(columns) for _ in group]
        yield ""
        yield " " * NAME + "".join(f"{figure:>{width}}" for _, (figure, width) in shown)
        for row in holding:
            name = in_cells(row.name, NAME)
            numbers = "".join(f"{row.has[at]:>{width}}" for at, (_, width) in shown)
            yield name + " " * (NAME - cell_len(name)) + numbers


def _where(story: Story, seq: int, language: Language) -> str:
    labels = REPLAY[language]
    turn = story.turn(seq)
    return f"{labels.turn} {turn}, {labels.event} {seq}" if turn else f"{labels.event.capitalize()} {seq}"
