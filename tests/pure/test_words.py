"""Texts avoid turns of phrase that a reader of English would stumble over.

Messages, docstrings, comments, pages, rules, and the docs are checked, and docstrings and comments of everything else,
whatever the language. So is the spelling of names in tests, benchmarks, and examples.
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
BRITISH = (
    r"(?:neighbour|colour|behaviour|favour|favourite|honour|harbour|labour|rumour|flavour|humour|centre|metre|fibre"
    r"|licence|defence|offence|programme|artefact|judgement|cheque|catalogue|dialogue|grey)s?|afterwards|towards"
    r"|half-way|whilst|amongst|learnt|spelt|ageing|centred|(?:cancell|labell|modell|signall|travell|totall)(?:ed|ing)"
    r"|analys(?:e|ed|ing)|(?:author|capital|custom|emphas|equal|final|general|initial|maxim|minim|normal|optim|organ"
    r"|random|real|recogn|serial|special|standard|summar|synchron|util)is(?:e|es|ed|ing|ation)"
)
"""Words with another spelling in American English."""


class Habit(NamedTuple):
    """A turn of phrase to avoid. `instead`: what to write. `bad`: a sentence that contains it. `good`: a better one."""

    pattern: str
    instead: str
    bad: str
    good: str


HABITS = (
    Habit(r"\bany more(?=[.,;:?!]|$)", '"anymore"', "Nothing happens any more.", "Nothing happens anymore."),
    Habit(r"\bat turn\b", '"to move" or "whose turn it is"', "The player at turn rolls.", "The player to move rolls."),
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
        rf"(?i:\b(?:{BRITISH})\b)",
        "the American spelling",
        "Neighbours have other colours.",
        "Neighbors have other colors.",
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
BLOCK = re.compile(r"/\*+(.*?)\*/", re.DOTALL)
TAG = re.compile(r"@(?:param|property) (?:\{.*?\} )?\[?[\w.]+\]?")
OTHERS = {
    **dict.fromkeys((".js", ".mjs", ".ts", ".go", ".java", ".php"), "//"),
    **dict.fromkeys((".conf", ".yaml", ".yml", ".cfg", ".rb", ".sh", ".toml", ".ini", ".service"), "#"),
    **dict.fromkeys(("Makefile", "Caddyfile", "Containerfile", "Dockerfile"), "#"),
    ".sql": "--",
    ".css": None,
}
"""What begins a comment in files that are not Python, by the end of their names. None: only blocks have comments."""
FOREIGN = {"node_modules", "golden", "dist", "build", "client", "mcmulti_client", "venv"}
"""Folders of tests, examples, and the npm package whose files are not ours, are generated, or never change."""
GENERATED = {"openapi.yaml", "contract.ts", "contract.d.ts"}
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


def _other_comments() -> Iterator[tuple[str, str]]:
    """Comments in scripts, style sheets, SQL, and configuration, each with what is on the lines below it."""
    for folder in ("mcmulti", "deploy", "openapi", "tests", "examples", ".github", "."):
        top = ROOT.parent / folder
        for path in sorted(top.glob("*") if folder == "." else top.rglob("*")):
            place = path.relative_to(ROOT.parent)
            ours = folder == "mcmulti" or not FOREIGN & {*place.parts[:-1]}
            sign = OTHERS.get(path.suffix or path.name, "")
            if sign == "" or not ours or path.name in GENERATED or not path.is_file():
                continue
            source = path.read_text("utf-8")
            if sign in ("//", None):
                for block in BLOCK.finditer(source):
                    text = TAG.sub("", " ".join(line.strip().lstrip("*").strip() for line in block[1].splitlines()))
                    yield f"{place}:{source[: block.start()].count(chr(10)) + 1}", " ".join(text.split())
            if sign is not None:
                lines = re.compile(rf"(?:^|(?<=\s)){sign} (.+)$(?:\n *{sign} (.+)$)*", re.MULTILINE)
                for block in lines.finditer(source):
                    text = re.sub(rf"\n *{sign}", "", block[0])
                    yield f"{place}:{source[: block.start()].count(chr(10)) + 1}", text


def _names() -> Iterator[tuple[str, str]]:
    """Names of tests, functions, parameters, and variables outside the package, as words.

    A test of a rule begins with the name of the rule, which is left out.
    """
    for folder in ("tests", "benchmarks", "examples"):
        for path in sorted((ROOT.parent / folder).rglob("*.py")):
            if FOREIGN & {*path.relative_to(ROOT.parent).parts}:
                continue
            for each in ast.walk(ast.parse(path.read_text("utf-8"))):
                match each:
                    case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                        words = name.rpartition("__")[2] if name.startswith("test_") else name
                    case ast.arg(arg=words) | ast.Name(id=words, ctx=ast.Store()):
                        pass
                    case _:
                        continue
                yield (
                    f"{path.relative_to(ROOT.parent)}:{getattr(each, 'lineno', 0)}",
                    re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", words),
                )


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
        for number, line in enumerate(text[: text.find("\n  de: {")].splitlines(), 1):
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
    read = [*_code(), *_beside(), *_other_comments(), *_texts(), *_guides()]
    assert len(read) > 27000
    found = [
        f"{place}: write {habit.instead} in: {text}"
        for place, text in read
        if ANY_HABIT.search(words := CODE.sub("", text))
        for habit in HABITS
        if re.search(habit.pattern, words)
    ]
    assert found == []


def test_names_are_spelled_as_in_american_english() -> None:
    read = list(_names())
    assert len(read) > 20000
    spelled = re.compile(rf"(?i)\b(?:{BRITISH})\b")
    assert [f"{place}: {words}" for place, words in read if spelled.search(words)] == []


def test_comments_are_read_in_every_language() -> None:
    found = {place.rpartition(":")[0].rpartition(".")[2] for place, _ in _other_comments()}
    assert {"js", "ts", "mjs", "css", "sql", "go", "java", "conf", "yaml", "toml"} <= found
