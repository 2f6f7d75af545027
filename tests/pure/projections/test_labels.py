"""The table of labels: every text has the same placeholders in every language, and all of them are used."""

import re
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

from mcmulti.domain.core.shown.board import Colour, Direction
from mcmulti.domain.core.wording.data import texts
from mcmulti.projections.charts.names import ChartName
from mcmulti.projections.labels import UNRATED
from mcmulti.projections.statistics.ratings import Reduced, Unrated

MCMULTI = Path(__file__).parents[3] / "mcmulti"
TABLE = texts("mcmulti.projections", "labels.toml")
ROOMS = [MCMULTI / "cli", MCMULTI / "projections", MCMULTI / "evaluation", MCMULTI / "api" / "reviews"]
SOURCES = "\n".join(file.read_text("utf-8") for room in ROOMS for file in room.rglob("*.py"))
BY_VALUE = {
    *(f"chart.titles.{name}" for name in get_args(ChartName)),
    *(f"picture.{name}" for name in get_args(Colour)),
    *(f"picture.{name}{plural}" for name in get_args(Direction) for plural in ("", "s")),
    *(f"unrated.{name}" for name in get_args(Unrated)),
    *(f"reduced.{name}" for name in get_args(Reduced)),
}
"""Labels of things with a name in the code."""
LISTED = ("replay.bar.", "replay.keys.", "play.help.")
"""Sections that are shown as a whole."""


def places(text: str) -> list[str]:
    return sorted(field for _, field, _, _ in Formatter().parse(text) if field is not None)


@pytest.mark.parametrize("label", [label for label in TABLE["en"] if label != "play.no_command"])
def test_a_label_has_the_same_places_in_every_language(label: str) -> None:
    """Except for the one that shows JSON."""
    assert places(TABLE["en"][label]) == places(TABLE["de"][label])
    assert TABLE["en"][label].count("\t") == TABLE["de"][label].count("\t") == label.startswith(LISTED)


def test_every_label_is_used() -> None:
    assert TABLE["en"].keys() >= BY_VALUE
    for label in TABLE["en"].keys() - BY_VALUE:
        if not label.startswith(LISTED):
            name = label.rpartition(".")[2]
            assert re.search(rf"\.{name}\b|[\"']{name}[\"']", SOURCES), label


def test_every_label_that_is_used_is_there() -> None:
    used = re.findall(r"(?:\b_?labels|\baround|\b(?:PICTURE|CHART|REPLAY|PLAY|AUDIT)\[[\w.]+\])\.(\w+)", SOURCES)
    used += re.findall(r"\bsaid\[[\"'](\w+)[\"']\]", SOURCES)
    assert len(used) > 100
    others = {"append", "toml", "said", "within"}  # lists with this name, of the file, of the class
    assert {*used} - {label.rpartition(".")[2] for label in TABLE["en"]} == others


def test_a_label_that_is_not_there_is_an_error() -> None:
    with pytest.raises(AttributeError, match="no label 'xyzzy'"):
        _ = UNRATED["en"].xyzzy
