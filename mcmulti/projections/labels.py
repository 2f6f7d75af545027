"""Texts of programs about any game: one table of labels, in all languages."""

from collections.abc import Mapping

from mcmulti.domain.core.wording.data import texts
from mcmulti.domain.core.wording.telling import Language, Words


class Labels:
    """The texts of a section in one language, as attributes; `said` has them by name."""

    def __init__(self, said: Mapping[str, str]) -> None:
        self.__dict__.update(said)  # so that reading a text costs no call
        self.said = said

    def __getattr__(self, name: str) -> str:
        raise AttributeError(f"no label {name!r}")

    def within(self, section: str) -> dict[str, str]:
        """The texts of a subsection, by name, in order."""
        start = f"{section}."
        return {name.removeprefix(start): text for name, text in self.said.items() if name.startswith(start)}


def _section(table: Words, name: str) -> dict[Language, Labels]:
    return {language: Labels(Labels(said).within(name)) for language, said in table.items()}


_TABLE = texts(__package__, "labels.toml")
PICTURE, CHART = (_section(_TABLE, name) for name in ("picture", "chart"))
UNRATED, REDUCED, REFUNDED = (_section(_TABLE, name) for name in ("unrated", "reduced", "refunded"))
REPLAY, PLAY, AUDIT = (_section(_TABLE, name) for name in ("replay", "play", "audit"))
STATISTICS, DOCTOR, REVIEW = (_section(_TABLE, name) for name in ("statistics", "doctor", "review"))
