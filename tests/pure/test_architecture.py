"""What the rules never touch, and what every game shares."""

import ast
import importlib
import pkgutil
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

import mcmulti
from mcmulti import domain
from mcmulti.domain.core.capabilities.capability import Capability
from mcmulti.domain.core.course.course import Course
from mcmulti.domain.rulesets import CURRENT

PACKAGE = Path(mcmulti.__file__).parent
TESTS = Path(__file__).parents[1]
DOMAIN = sorted((PACKAGE / "domain").rglob("*.py"))
FORBIDDEN = {"asyncio", "datetime", "os", "pathlib", "random", "secrets", "socket", "sys", "threading", "time", "uuid"}


def test_the_rules_have_no_clock_no_random_and_no_network() -> None:
    for file in DOMAIN:
        imported: set[str] = set()
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                imported.add(node.module.partition(".")[0])
        assert imported & FORBIDDEN == set(), file
        third_party = imported - set(sys.stdlib_module_names) - {"mcmulti"}
        assert third_party <= {"msgspec"}, file


def test_the_rules_know_no_floats() -> None:
    for file in DOMAIN:
        nodes = ast.walk(ast.parse(file.read_text("utf-8")))
        constants = (node.value for node in nodes if isinstance(node, ast.Constant))
        assert not [value for value in constants if isinstance(value, float)], file


def test_what_several_tests_need_stands_in_helpers() -> None:
    """No test module is imported by another one, nor by a helper, so a test module contains only tests."""
    imports = re.compile(r"^\s*from (tests\S*) import (\([^)]*\)|.*)", re.MULTILINE)
    found = [
        (file, name)
        for file in TESTS.rglob("*.py")
        for module, names in imports.findall(file.read_text("utf-8"))
        for name in (module, *re.findall(r"\w+", names))
    ]
    assert len(found) > 1000
    assert [(str(file), name) for file, name in found if name.rpartition(".")[2].startswith("test_")] == []


def test_the_map_names_what_there_is() -> None:
    """Functions and constants that ARCHITECTURE.md names with their file, and every file and folder of the package."""
    text = (PACKAGE.parent / "ARCHITECTURE.md").read_text("utf-8")
    named = re.findall(r"`(\w+)`\s+\(`([a-z_/]+\.py)`\)", text)
    assert len(named) > 10
    for name, file in named:
        nodes = list(ast.walk(ast.parse((PACKAGE / file).read_text("utf-8"))))
        constants = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        assert name in {getattr(node, "name", None) for node in nodes} | constants, (name, file)
    walked = re.findall(r"`(\w+)` and `(\w+)` \(`([a-z_/]+\.py)`\)", text)
    assert walked
    for first, second, file in walked:
        defined = {getattr(node, "name", None) for node in ast.walk(ast.parse((PACKAGE / file).read_text("utf-8")))}
        assert {first, second} <= defined, file
    section = text.partition("## A new capability\n")[2].partition("\n## ")[0]
    hooks = {name for name in re.findall(r"`(\w+)(?:\(.*?\))?`", section) if name[0].islower()} - {"setup"}
    assert {"option", "slot", "react", "follow"} <= hooks
    assert all(hasattr(Capability, name) for name in hooks - {"ante"}), hooks
    for place in re.findall(r"`([a-z_]+(?:/[a-z_]+)*(?:/|\.py))`", text):
        assert (PACKAGE / place).exists() or (PACKAGE.parent / place).exists(), place


GENERATED = PACKAGE / "bots" / "types.py"


def test_a_room_has_twelve_files_at_most() -> None:
    files = Counter(file.parent for file in PACKAGE.rglob("*.py") if file.name != "__init__.py")
    assert {str(room.relative_to(PACKAGE)): count for room, count in files.items() if count > 12} == {}


def test_no_room_is_there_for_one_file() -> None:
    """Except a room with rooms in it, and a capability whose texts are its other files."""
    files = Counter(file.parent for file in PACKAGE.rglob("*.*") if file.suffix in (".py", ".toml", ".json"))
    packages = {file.parent for file in PACKAGE.rglob("__init__.py")}
    outer = {room.parent for room in packages}
    assert {str(room.relative_to(PACKAGE)) for room in packages - outer if files[room] == 2} == set()


def test_a_file_has_500_lines_at_most() -> None:
    """Most have fewer than 200: one that grows long has more than one reason to change."""
    lengths = {file: len(file.read_text("utf-8").splitlines()) for file in PACKAGE.rglob("*.py") if file != GENERATED}
    assert {str(file.relative_to(PACKAGE)): lines for file, lines in lengths.items() if lines > 500} == {}


OIL = re.compile(r"dollar|barrel|crude|gasoline|quadrant|refiner|\boil\b|\brigs?\b", re.IGNORECASE)
OF_A_GAME = (
    "bots/",
    "domain/mcmulti/",
    "domain/oil/",
    "domain/postal/",
    "training/encoders/games/mcmulti.py",
    "training/encoders/oil.py",
    "training/encoders/games/postal.py",
)
OF_THE_PRODUCT = ("__init__.py", "api/openapi/__init__.py", "cli/__init__.py")
"""They introduce mcmulti, which is named after one of its games."""
SHARED = [
    file
    for file in sorted(PACKAGE.rglob("*.py"))
    if not str(file.relative_to(PACKAGE)).startswith((*OF_A_GAME, *OF_THE_PRODUCT))
]


def test_what_every_game_shares_speaks_of_no_oil() -> None:
    found = [
        f"{file.relative_to(PACKAGE)}: {line}"
        for file in SHARED
        for line in file.read_text("utf-8").splitlines()
        if OIL.search(line)
    ]
    assert found == []


GAMES = {name for name in CURRENT if name != "mcmulti"}
"""The names of games. That of the box game is also the name of the project."""
REGISTRY = "domain/rulesets.py"
TEXT = {".py", ".js", ".css", ".html", ".toml"}


def test_no_place_lists_the_games() -> None:
    """Except for their registry, a file is about one game at most, and a page about none."""
    told = {}
    for file in sorted(PACKAGE.rglob("*")):
        place = str(file.relative_to(PACKAGE))
        if file.suffix in TEXT and file != GENERATED and place != REGISTRY and not GAMES & set(Path(place).parts[:-1]):
            named = GAMES & set(re.findall(r"[a-z_]+", file.read_text("utf-8").lower()))
            if len(named) > (place.partition("/")[0] != "web"):
                told[place] = named
    assert told == {}


def _taken_as_defaults(tree: ast.AST) -> Iterator[ast.expr | None]:
    """Substitutes for missing values: defaults of parameters, options, and fields, and either side of an `or`."""
    for node in ast.walk(tree):
        match node:
            case ast.arguments():
                yield from (*node.defaults, *node.kw_defaults)
            case ast.BoolOp():
                yield from node.values
            case ast.keyword(arg="default" | "show_default" | "ruleset"):
                yield node.value
            case ast.ClassDef():
                yield from (line.value for line in node.body if isinstance(line, ast.AnnAssign))


def test_only_the_registry_knows_the_default_game() -> None:
    """It is also the name of the project, so it may appear elsewhere, but not as a default."""
    named = []
    for file in sorted(PACKAGE.rglob("*.py")):
        place = file.relative_to(PACKAGE)
        if "mcmulti" not in place.parts and file != GENERATED:
            text = file.read_text("utf-8")
            if "[default: mcmulti]" in text:
                named.append(str(place))
            named += [
                f"{place}:{value.lineno}"
                for value in (_taken_as_defaults(ast.parse(text)) if '"mcmulti"' in text else ())
                if isinstance(value, ast.Constant) and value.value == "mcmulti"
            ]
    pages = (PACKAGE / "web").rglob("*.js")
    named += [str(file.relative_to(PACKAGE)) for file in pages if "rules/mcmulti" in file.read_text("utf-8")]
    assert named == []


def test_no_contract_of_imports_and_no_linter_lists_the_games() -> None:
    for place in ("pyproject.toml", "openapi/package.json"):
        assert not GAMES & set(re.findall(r"[a-z_]+", (PACKAGE.parent / place).read_text("utf-8").lower())), place


def test_games_rest_on_what_they_share_and_do_not_import_each_other() -> None:
    """Everything in `domain/` that is neither shared nor the registry is a folder with a game."""
    shared = {"core": {"core"}, "oil": {"core", "oil"}}
    for file in DOMAIN:
        room, *rest = file.relative_to(PACKAGE / "domain").parts
        if room in ("__init__.py", "rulesets.py"):
            continue
        assert rest, f"{room} is no folder of a game"
        imported = {
            (node.module or "").split(".")[2]
            for node in ast.walk(ast.parse(file.read_text("utf-8")))
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("mcmulti.domain.")
        }
        assert imported <= shared.get(room, {"core", "oil", room}), file


def test_the_data_of_the_rules_is_frozen() -> None:
    """Except for the classes that collect the facts of a decision while it is made."""
    kinds = [
        kind
        for module in pkgutil.walk_packages(domain.__path__, "mcmulti.domain.")
        for kind in vars(importlib.import_module(module.name)).values()
        if isinstance(kind, type) and issubclass(kind, Struct) and kind is not Struct and not issubclass(kind, Course)
    ]
    assert len(kinds) > 200
    assert [kind for kind in kinds if not kind.__struct_config__.frozen] == []


def test_what_a_capability_adds_is_named_in_its_place_alone() -> None:
    """Pages and the terminal learn from the rule set, and from each event, how to show commands and events of it."""
    added = {
        kind.__name__
        for ruleset in CURRENT.values()
        for capability in ruleset.flow.capabilities
        for kind in (*capability.carriers, *capability.automatic, *capability.events)
    }
    names = re.compile(rf"\b(?:{'|'.join(added)})\b")
    shown = [*(PACKAGE / "web" / "static").rglob("*.js"), *(PACKAGE / "cli").rglob("*.py")]
    assert {
        f"{file.relative_to(PACKAGE)}": found for file in shown if (found := names.findall(file.read_text("utf-8")))
    } == {
        "cli/commands/player/bot.py": ["Instruct", "Instruct"],  # its help explains an option by the command
        "cli/records/demo.py": ["Resign"],  # what a visitor of the demo does when it is stopped
    }
