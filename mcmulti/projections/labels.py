"""What programs say around a game, whatever game it is: one table of labels, in all languages."""

from collections.abc import Mapping

from mcmulti.domain.core.data import texts
from mcmulti.domain.core.telling import Language, Words


class Labels:
    """The texts of a section of the table in one language, as attributes or by name."""

    def __init__(self, said: Mapping[str, str]) -> None:
        self._said = said

    def __getitem__(self, name: str) -> str:
        return self._said[name]

    def __getattr__(self, name: str) -> str:
        try:
            return self._said[name]
        except KeyError:
            raise AttributeError(f"no label {name!r}") from None

    def within(self, section: str) -> dict[str, str]:
        """The texts of a section in this one, by name, in order."""
        start = f"{section}."
        return {name.removeprefix(start): text for name, text in self._said.items() if name.startswith(start)}


def _section(table: Words, name: str) -> dict[Language, Labels]:
    return {language: Labels(Labels(said).within(name)) for language, said in table.items()}


_TABLE = texts(__package__, "labels.toml")
PICTURE, CHART, UNRATED = (_section(_TABLE, name) for name in ("picture", "chart", "unrated"))
REPLAY, PLAY, AUDIT = (_section(_TABLE, name) for name in ("replay", "play", "audit"))
