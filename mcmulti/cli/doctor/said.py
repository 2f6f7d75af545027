"""Labels and sizes as the doctor prints them."""

from typing import NamedTuple

from mcmulti.domain.core.wording.telling import Language, grouped, with_point
from mcmulti.projections.labels import DOCTOR


class DoctorWords(NamedTuple):
    """Labels and numbers in a language."""

    language: Language

    def __call__(self, name: str, **figures: object) -> str:
        """A phrase. Numbers are grouped as in the language."""
        shown = {
            key: grouped(figure, self.language) if isinstance(figure, int) else figure
            for key, figure in figures.items()
        }
        return DOCTOR[self.language].said[name].format_map(shown)

    def bytes(self, number: int) -> str:
        """A number of bytes."""
        told = f"{number / 2**30:,.1f} GiB" if number >= 2**30 else f"{number / 2**20:,.1f} MiB"
        return with_point(told, self.language)
