"""Texts avoid turns of phrase that a reader of English would stumble over.

Messages, docstrings, comments, pages, rules, and the docs are checked, and docstrings and comments of everything else.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import mcmulti
from tests.docs.manual import pages

ROOT = Path(mcmulti.__file__).parent


class Habit(NamedTuple):
    """A turn of phrase to avoid. `instead`: what to write. `bad`: a sentence that contains it. `good`: a better one."""

    pattern: str
    instead: str
    bad: str
    good: str


HABITS = (
    Habit(
        r"(?<!there )(?<!There )\bis no (?!more\b|less\b|one\b|\w+er\b)\w",
        '"is not a ..."',
        "The file is no bundle.",
        "The file is not a bundle, and there is no other.",
    ),
    Habit(
        r"\b(?:is|are) none of\b",
        '"is not one of", "has no such"',
        "The command is none of this game's rule set.",
        "This game has no such command.",
    ),
    Habit(
        r"\bas (?:it|they) should be\b",
        "the fault itself",
        "The request is not HTTP as it should be.",
        "Malformed HTTP request.",
    ),
    Habit(r"\b(?:has|have) to be\b", '"must be"', "The key has to be random.", "The key must be random."),
    Habit(r"\b(?:is|are) to be\b", '"must be"', "The file is to be left out.", "The file must be left out."),
    Habit(
        r"\b(?:for|to|by|from|with|than|only|unless|if) who\b(?!m)|\bOnly who\b",
        '"a player who ..."',
        "Only who opened the table may do that.",
        "Only the player who opened the table can do this.",
    ),
    Habit(r"\b(?:is|are) told\b", '"returns", "shows"', "A new table is told.", "The stream shows a new table."),
    Habit(r"\btells? of\b", '"lists", "reports"', "The log tells of every move.", "The log lists every move."),
    Habit(r"\bsays? so\b", "what it says", "If the setup says so, you may.", "If the table allows it, you may."),
    Habit(r"\bat hand\b", '"cached", "available"', "Games that are at hand.", "Games that are cached."),
    Habit(r"\bbesides\b", '"also"', "It costs ten besides.", "It also costs ten."),
    Habit(
        r"\bso many (?:seconds|minutes|hours|days|events|seats|requests|bytes|characters|players|games)\b",
        '"N seconds"',
        "So it takes so many seconds.",
        "It takes N seconds.",
    ),
    Habit(r"\banew\b", '"again"', "Read the game anew.", "Read the game again."),
    Habit(r"\bone's own\b", '"your own"', "Look at one's own shops.", "Look at your own shops."),
    Habit(
        r"\b(?:nothing|none)\b.*\bof a type that\b",
        '"none of the media types"',
        "There is nothing of a type that the request accepts.",
        "No available media type matches Accept.",
    ),
    Habit(
        r"(?i:\b(?:neighbours?|colours?|behaviours?|favourites?|centres?|cancelled|labelled)\b)",
        "the American spelling",
        "Neighbours have other colours.",
        "Neighbors have other colors.",
    ),
    Habit(
        r"\b(?:afterwards|towards|half-way)\b",
        "the American spelling",
        "Afterwards it moves towards the end.",
        "Afterward it moves toward the end.",
    ),
    Habit(r"\bonlookers?\b", '"spectator"', "An onlooker sees it.", "A spectator sees it."),
    Habit(
        r"\bso many\b(?!.*\bthat\b)",
        '"N", "this many"',
        "A game of so many moves.",
        "There are so many that none fits.",
    ),
    Habit(r"\b[Bb]ut for\b", '"except"', "All moves but for the last.", "All moves except the last."),
    Habit(r"\ball the same\b", '"still"', "He loses all the same.", "He still loses."),
    Habit(r"\b[Uu]nless told\b", '"by default", "unless given"', "Two players unless told.", "Two players by default."),
    Habit(r"\bto and fro\b", '"back and forth"', "They walk to and fro.", "They walk back and forth."),
    Habit(r"\b(?:came|comes) of\b", '"the result"', "What came of a request.", "The result of a request."),
    Habit(r"\b(?:said|says?) of\b", '"about"', "What the log says of a game.", "What the log says about a game."),
    Habit(
        r"\bwhat is (?:told|said|answered)\b",
        '"the response"',
        "The body is what is told.",
        "The body is the response.",
    ),
    Habit(
        r"\b[Ww]here to connect\b",
        '"the address", "the connection string"',
        "Where to connect to a database.",
        "The connection string of a database.",
    ),
    Habit(r"\bmuch else to do\b", '"busy"', "A machine that has much else to do.", "A busy machine."),
    Habit(r"\bas long as the block\b", '"for the block"', "A server, as long as the block.", "A server for the block."),
)
ANY_HABIT = re.compile("|".join(f"(?:{habit.pattern})" for habit in HABITS))
CODE = re.compile(r"``[^`]*``|`[^`]*`|\{[^{}]*\}")
"""Names in a sentence, which are not words of it."""
COMMENT = re.compile(r"(?:^|  )# (.+)")
UNWRITTEN = re.compile(
    r"^<!-- (?P<name>.+): generated -->$.*?^<!-- end of (?P=name) -->$|^ *```.*?^ *```$", re.DOTALL | re.MULTILINE
)
"""Parts of the docs that are not prose."""
BESIDE_THE_DOCS = (
    "README",
    "CHANGELOG",
    "CODE_OF_CONDUCT",
    "CONTRIBUTING",
    "ARCHITECTURE",
    "SECURITY",
    "examples/README",
)


def _code() -> Iterator[tuple[str, str]]:
    """Comments and string literals that look like sentences, without the generated types of bots."""
    for path in sorted(ROOT.rglob("*.py")):
        if path == ROOT / "bots" / "types.py":
            continue
        source = path.read_text("utf-8")
        for each in ast.walk(ast.parse(source)):
            if isinstance(each, ast.Constant) and isinstance(each.value, str) and each.value.count(" ") >= 2:
                yield f"{path.relative_to(ROOT)}:{each.lineno}", " ".join(each.value.split())
        yield from _comments(path.relative_to(ROOT), source)


def _beside() -> Iterator[tuple[str, str]]:
    """Comments and docstrings of tests, benchmarks, and examples. This file contains bad sentences on purpose."""
    for folder in ("tests", "benchmarks", "examples"):
        for path in sorted((ROOT.parent / folder).rglob("*.py")):
            if path == Path(__file__):
                continue
            source = path.read_text("utf-8")
            for line, text in _docstrings(ast.parse(source).body):
                yield f"{path.relative_to(ROOT.parent)}:{line}", " ".join(text.split())
            yield from _comments(path.relative_to(ROOT.parent), source)


def _docstrings(statements: list[ast.stmt]) -> Iterator[tuple[int, str]]:
    """With their lines, in nested classes and functions too."""
    for each in statements:
        if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant):
            yield each.lineno, str(each.value.value)
        elif isinstance(each, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _docstrings(each.body)


def _comments(place: Path, source: str) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(source.splitlines(), 1):
        if comment := COMMENT.search(line):
            yield f"{place}:{number}", comment[1]


def _texts() -> Iterator[tuple[str, str]]:
    """English texts of games and pages, line by line."""
    for path in sorted(ROOT.rglob("*.toml")):
        if not path.name.endswith(".de.toml"):
            for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
                for language, text in re.findall(r'(\w+) = "((?:[^"\\]|\\.)*)"', line.replace('""', "")):
                    if language != "de" and " " in text:
                        yield f"{path.relative_to(ROOT)}:{number}", text
    for path in sorted((ROOT / "web" / "static").rglob("words.js")):
        text = path.read_text("utf-8")
        for number, line in enumerate(text[: text.find("export const de")].splitlines(), 1):
            if not line.lstrip().startswith(("//", "*")):
                yield f"{path.relative_to(ROOT)}:{number}", " ".join(re.findall(r'["`]([^"`]*)["`]', line))


def _guides() -> Iterator[tuple[str, str]]:
    """The docs line by line, without code and without tables that follow from other texts."""
    for path in (*pages(), *(ROOT.parent / f"{name}.md" for name in BESIDE_THE_DOCS)):
        text = UNWRITTEN.sub(lambda block: "\n" * block[0].count("\n"), path.read_text("utf-8"))
        for number, line in enumerate(text.splitlines(), 1):
            yield f"{path.relative_to(ROOT.parent)}:{number}", line


@pytest.mark.parametrize("habit", HABITS, ids=lambda habit: habit.instead)
def test_a_habit_is_found_in_a_bad_sentence_and_not_in_a_good_one(habit: Habit) -> None:
    assert re.search(habit.pattern, habit.bad)
    assert not any(re.search(each.pattern, habit.good) for each in HABITS)


def test_nobody_stumbles_over_a_text() -> None:
    read = [*_code(), *_beside(), *_texts(), *_guides()]
    assert len(read) > 25000
    found = [
        f"{place}: write {habit.instead} in: {text}"
        for place, text in read
        if ANY_HABIT.search(words := CODE.sub("", text))
        for habit in HABITS
        if re.search(habit.pattern, words)
    ]
    assert found == []
