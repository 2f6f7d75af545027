"""Findings of the doctor."""

from msgspec import Struct


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
