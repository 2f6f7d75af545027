"""What the doctor finds."""

from msgspec import Struct


class Observation(Struct, frozen=True, omit_defaults=True):
    """Something that was looked at, in a phrase. `sound`: whether it is as it should be; None for what is told only.

    `advice` is what may be done about it; of what is told only, it says that it is worth a look. `game` is the one that
    it is about, if it is about one.
    """

    sound: bool | None
    what: str
    advice: str | None = None
    game: str | None = None

    @property
    def mark(self) -> str:
        """✓ for sound, ✗ for wrong, ! for worth a look, · for told."""
        if self.sound is None:
            return "·" if self.advice is None else "!"
        return "✓" if self.sound else "✗"

    @property
    def line(self) -> str:
        """It in a line, for people."""
        return f"{self.mark} {self.what}{'' if self.advice is None else f': {self.advice}'}"
