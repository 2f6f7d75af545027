"""The proofs of the series among verified games."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from msgspec import Struct

from mcmulti.cli.proof.verdict import Verdict
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.store.game_file import GameRecord
from mcmulti.projections.proof.series import place_of, series_fault


class SeriesProof(Struct, frozen=True):
    """What was found about a series. `present`: how many of its `tables` were among the games. `proven`: all of them
    were, each is proven, and all had the same dice. `fault`: why they had not, null if they had as far as is known.
    """

    series: str
    tables: int
    present: int
    proven: bool
    fault: str | None

    @property
    def marked(self) -> str:
        """The proof as a line, as rich markup."""
        said = f"series {self.series}, {self.present} of {self.tables} tables"
        if self.fault is not None:
            return f"[red]✗[/] {said}: {self.fault}"
        if self.proven:
            return f"[green]✓[/] {said}: the same dice at every table"
        return f"[yellow]·[/] {said}: the same dice so far"


class SeriesTables:
    """Collects the tables of series, to prove them together."""

    def __init__(self) -> None:
        self._found: defaultdict[tuple[str, int], list[tuple[Verdict, Sequence[Recorded]]]] = defaultdict(list)
        self.sound = True
        """Whether no series had a fault."""

    def collect(self, record: GameRecord, verdict: Verdict) -> None:
        """Take in a game; nothing happens if it is in no series, or not sound."""
        place = place_of(record.events[0]) if record.events and verdict.proof.fault is None else None
        if place is not None:
            self._found[place.series, place.tables].append((verdict, record.events))

    def proofs(self) -> Iterator[SeriesProof]:
        """The proof of each series."""
        for (series, tables), found in self._found.items():
            fault = series_fault([events for _, events in found])
            self.sound = self.sound and fault is None
            proven = fault is None and len(found) == tables and all(verdict.proven for verdict, _ in found)
            yield SeriesProof(series, tables, len(found), proven, fault)
