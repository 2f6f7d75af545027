"""The postal game's additional phrases in sentences: why lines are skipped."""

from collections.abc import Sequence

from mcmulti.domain.core.capabilities.rounds import Round
from mcmulti.domain.oil import phrases as common
from mcmulti.domain.postal.components import COMPONENTS
from mcmulti.domain.postal.names import Line
from mcmulti.domain.postal.sheets.sheet import OpenedLine

_REASONS = {"cash": "cash_short", "barrels": "barrels_short"}
"""Words for reasons whose codes also mean something else."""
_FIGURES = ("cash", "keep_cash", "keep_barrels", "price_above", "price_below")
"""Reasons that numbers explain."""


class Phrases(common.Phrases, room=__package__):
    """Phrases in one language, at one moment of the game."""

    __slots__ = ()

    QUADRANTS = COMPONENTS["board"]["quadrants"]
    SAID = (*common.Phrases.SAID, (Round, "number"), (Line, "number"))

    def reason(self, code: str) -> str:
        """Why a line could not be carried out."""
        return self.word(_REASONS.get(code, code))

    def figures(self, code: str, have: int | None, need: int | None) -> str:
        """What there was and what a line needed, if that says more than the reason."""
        if have is None or need is None or code not in _FIGURES:
            return ""
        if code == "keep_barrels":  # this needs one more than is kept
            return self.phrase("figures.keep_barrels", have=self.barrels(have), kept=self.number(need - 1))
        return self.phrase(f"figures.{code}", have=self.money(have), need=self.money(need))

    def numbers(self, opened: Sequence[OpenedLine]) -> str:
        """The numbers of several lines; three or more in a row as a range."""
        runs: list[list[int]] = []
        for line in (each.line for each in opened):
            if runs and runs[-1][-1] == line - 1:
                runs[-1].append(line)
            else:
                runs.append([line])
        return self.listing([told for run in runs for told in self._in_runs(run)])

    def _in_runs(self, lines: Sequence[int]) -> Sequence[str]:
        numbers = [self.number(line) for line in lines]
        return numbers if len(lines) < 3 else [self.phrase("run", first=numbers[0], last=numbers[-1])]
