"""Why no game can stand in a position: in every language, and every reason is used."""

import re
from pathlib import Path
from string import Formatter

import pytest

import mcmulti.domain
from mcmulti.domain.core.wording.data import texts
from mcmulti.domain.core.wording.telling import LANGUAGES

DOMAIN = Path(mcmulti.domain.__file__).parent
ROOMS = sorted(file.parent for file in DOMAIN.rglob("faults.toml"))


def values(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_every_reason_is_used_and_names_the_same_values_in_every_language(room: Path) -> None:
    package = ".".join(("mcmulti", "domain", *room.relative_to(DOMAIN).parts))
    found = texts(package, "faults.toml")
    places = DOMAIN.parent if "core" in room.parts else room
    sources = "".join(file.read_text("utf-8") for file in places.rglob("*.py"))
    for key, text in found["en"].items():
        assert re.search(rf'BECAUSE\("{key}"', sources), key
        assert all(values(found[language][key]) == values(text) for language in LANGUAGES), key


def test_there_are_reasons_for_every_game() -> None:
    assert len(ROOMS) >= 7
