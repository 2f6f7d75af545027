"""How the doctor says its labels and sizes."""

from typing import NamedTuple

from mcmulti.domain.core.wording.telling import Language, grouped, with_point
from mcmulti.projections.labels import DOCTOR


class DoctorWords(NamedTuple):
    """How things are said in a language."""

    language: Language

    def __call__(self, name: str, **figures: object) -> str:
        """A phrase, with numbers in the groups of the language."""
        shown = {
            key: grouped(figure, self.language) if isinstance(figure, int) else figure
            for key, figure in figures.items()
        }
        return DOCTOR[self.language].said[name].format_map(shown)

    def size(self, number: int) -> str:
        """A number of bytes."""
        told = f"{number / 2**30:,.1f} GiB" if number >= 2**30 else f"{number / 2**20:,.1f} MiB"
        return with_point(told, self.language)
