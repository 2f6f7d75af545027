"""Reports as letters: eighty columns, and Markdown that no player's name can break."""

import re

import pytest
from rich.cells import cell_len

from mcmulti.domain.core.capabilities.rounds import RoundReport
from mcmulti.domain.core.table import presented
from mcmulti.domain.core.wording.telling import LANGUAGES, Language
from mcmulti.domain.postal.shown.report import report
from mcmulti.projections.reports.letters import WIDTH, as_markdown, as_text
from tests.pure.postal.reported import past, reported
from tests.pure.postal.round_by_hand import before
from tests.pure.postal.situations import CALLED

HOSTILE = (
    "# Boss",
    "<script>alert(1)</script>",
    "[me](https://evil.example)",
    "www.evil.example",
    "a|b|c\n\n# d",
    "**`_~*",
    "\x1b[31mred\x07",
    "\u202eevil",
    "油田" * 20,
    "x" * 40,
    "1. first",
    "- dash",
    "@everyone &amp; $x$",
)


def named(name: str, language: Language = "en") -> RoundReport:
    """The round by hand, with another name for Ben."""
    state = before()
    return report(presented(state, {**CALLED, "player-1": name}), past(), language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["Ben", *HOSTILE])
def test_no_line_of_a_letter_is_wider_than_eighty_columns(name: str, language: Language) -> None:
    letter = as_text(named(name, language))
    assert max(cell_len(line) for line in letter.splitlines()) <= WIDTH
    assert all(letter_.isprintable() or letter_ == "\n" for letter_ in letter)


def test_a_letter_begins_and_ends_as_letters_do() -> None:
    lines = as_text(reported()).splitlines()
    assert lines[:4] == ["McMulti by post, round 6", "=" * 24, "", "Dear Ada, Ben, Cleo and Dan,"]
    assert lines[-1] == "I await your orders for round 7. Good luck to all of you!"


def test_lines_stand_in_the_margin_and_reasons_below() -> None:
    letter = as_text(reported())
    assert (
        "\n  3.  if expansion and cash at least 50\n      The condition holds (next: line 4).\n"
        "        All of these: yes.\n"
        "          Climate Expansion: yes, Expansion.\n"
        "          Own cash at least $50M: yes, $55M.\n"
        "  4.  buy rig A1\n"
        "      Ben buys a rig for $9M"
    ) in letter
    assert "\n 10.  sell 1 gasoline domestic\n      Skipped: sell 1 barrel of gasoline" in letter
    assert "\n  Player   Cash before   Cash   Crude   Gasoline   Worth\n" in letter
    assert "\n  Ben               70     27       6          1     114\n" in letter


def test_markdown_has_lists_and_tables() -> None:
    written = as_markdown(reported())
    assert (
        "\n- **5.** `buy pump F6` Skipped: buy a station for row 6, column 6; cash is short (\\$46M of \\$66M). `"
    ) in written
    condition = "`if expansion and cash at least 50` The condition holds (next: line 4)."
    assert f"\n- **3.** {condition}\n  - All of these: yes.\n" in written
    assert "\n| Ben | 70 | 27 | 6 | 1 | 114 |\n" in written
    assert [line for line in written.splitlines() if line.startswith("## ")][:2] == ["## The orders", "## Ben"]


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_is_taken_for_markup(name: str) -> None:
    """Without its escapes, it has as many headings, tables, links, tags, and emphases as with a plain name."""

    def markup(text: str) -> list[int]:
        unescaped = re.sub(r"\\.", "", text)
        patterns = (r"^#", r"^\|", r"\|", r"`", r"\*\*", r"[<>\[\]$~&_]", r"^ *- ", r"://", r"www\.", r"^ *\d+[.)]")
        return [len(re.findall(pattern, unescaped, re.MULTILINE)) for pattern in patterns]

    assert markup(as_markdown(named(name))) == markup(as_markdown(named("Ben")))


@pytest.mark.parametrize("name", ["# Boss", "- dash", "1. first"])
def test_no_name_begins_a_list_or_a_heading_within_an_item(name: str) -> None:
    escaped = {"# Boss": r"\# Boss", "- dash": r"\- dash", "1. first": r"1\. first"}[name]
    written = as_markdown(named(name))
    assert f"- {escaped} rolls red 3 and black 5." in written
    assert f"## {escaped}" in written
