"""Findings of the doctor, and their words and sizes."""

from typing import NamedTuple

from msgspec import Struct

from mcmulti.cli.running import counted
from mcmulti.domain.core.wording.telling import Language, grouped, with_point
from mcmulti.events.embedded.manifest import Manifest
from mcmulti.projections.labels import DOCTOR


class Observation(Struct, frozen=True, omit_defaults=True):
    """Something that was checked, as a phrase. `sound`: whether it is all right; None for information.

    `advice`: what to do about it; if it is information, it is worth a look. `game`: the game that it is about, if any.
    """

    sound: bool | None
    what: str
    advice: str | None = None
    game: str | None = None

    @property
    def mark(self) -> str:
        """✓ for sound, ✗ for wrong, ! for worth a look, · for information."""
        if self.sound is None:
            return "·" if self.advice is None else "!"
        return "✓" if self.sound else "✗"

    @property
    def line(self) -> str:
        """The observation as a line for people."""
        return f"{self.mark} {self.what}{'' if self.advice is None else f': {self.advice}'}"


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


def contents_of(manifest: Manifest) -> str:
    """The contents of a backup, as a phrase."""
    what = f"{counted(manifest.games, 'game')} with {counted(manifest.events, 'event')}"
    return f"{what}, as of {manifest.made_at:%Y-%m-%dT%H:%M:%SZ} ({manifest.bytes:,} bytes)"
