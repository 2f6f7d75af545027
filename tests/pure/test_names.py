"""One name, one thing."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import mcmulti
from mcmulti.domain.rulesets import SHIPPED

PACKAGE = Path(mcmulti.__file__).parent
SEEN_FROM_OUTSIDE = {
    "Game": "in the Python library, as OpenSpiel calls it",
    "PlayerId": "in the Python library, as OpenSpiel calls it",
    "State": "in the Python library, as OpenSpiel calls it",
    "Command": "as JSON, to bots",
    "Offer": "as JSON, to bots",
    "Kind": "as JSON, to bots",
    "Commands": "a facet of a rule set, and what a request sends of it",
    "Rounds": "a facet of a rule set, and what is answered of it",
    "Player": "somebody registered, and what they own at a table",
}
"""Names of the rules that mean the same thing elsewhere, from another side."""
CONTRACT = "bots/types.py"
"""All that strategies see, again as JSON, with the names of the contract."""


def _named(tree: ast.Module) -> Iterator[str]:
    """Classes and type aliases, except private ones and type variables."""
    for node in tree.body:
        targets = [node.target] if isinstance(node, ast.AnnAssign) else getattr(node, "targets", [])
        names = [node.name] if isinstance(node, ast.ClassDef) else [t.id for t in targets if isinstance(t, ast.Name)]
        yield from (name for name in names if name[0].isupper() and not name.isupper() and len(name) > 1)


def test_no_class_has_the_name_of_another() -> None:
    """Rule sets use the same name for similar things, each in its folder. All others have a name of their own."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for file in sorted(PACKAGE.rglob("*.py")):
        if file == PACKAGE / CONTRACT:
            continue
        for name in _named(ast.parse(file.read_text("utf-8"))):
            places[name].append(str(file.relative_to(PACKAGE)))
    twice = {
        name: files
        for name, files in places.items()
        if len(files) > 1 and not all(file.startswith("domain/") for file in files) and name not in SEEN_FROM_OUTSIDE
    }
    assert twice == {}


MOST = 3
"""How many modules may have a function of the same name, such as one that draws a picture and one for text."""
MOST_MEANINGS = 4
"""How many unrelated classes may have a method of the same name."""
VAGUE = {"about", "made", "of", "tell"}
"""Names that once meant a dozen things each."""


def test_a_function_means_one_thing() -> None:
    """Public or private. Folders of games all have the same functions, and ``main`` starts a process."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for file in sorted(PACKAGE.rglob("*.py")):
        place = file.relative_to(PACKAGE)
        if not {*SHIPPED, "games"} & {*place.parts[:-1]}:
            for node in ast.parse(file.read_text("utf-8")).body:
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    places[node.name].append(str(place))
    shared = {name: files for name, files in places.items() if len(files) > MOST}
    assert shared.keys() == {"main"}, shared
    assert {name: places[name] for name in VAGUE & places.keys()} == {}


EVERYWHERE = {
    "close": "of everything that holds a connection, a file, or a process",
    "forget": "of everything that caches",
    "step": "of everything that goes on in steps: folds, environments, and tasks in the background",
    "stop": "of everything that runs until it is stopped",
}
"""Methods that do the same to things that are not related."""
PLAIN = {"ABC", "Generic", "NamedTuple", "Protocol", "Struct", "TypedDict"}
"""Bases from other libraries that bring no methods to be overridden."""


class Kind(NamedTuple):
    """A class: its file, its bases by name, and its methods."""

    file: str
    name: str
    bases: tuple[str, ...]
    methods: frozenset[str]


def _kinds() -> Iterator[Kind]:
    """All classes of the package, those in classes and functions too."""
    for file in sorted(PACKAGE.rglob("*.py")):
        place = file.relative_to(PACKAGE).as_posix()
        for node in ast.walk(ast.parse(file.read_text("utf-8"))) if place != CONTRACT else ():
            if isinstance(node, ast.ClassDef):
                bases = (base.value if isinstance(base, ast.Subscript) else base for base in node.bases)
                methods = (each.name for each in node.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))
                called = frozenset(name for name in methods if not name.startswith("__"))
                yield Kind(place, node.name, tuple(ast.unparse(base).rpartition(".")[2] for base in bases), called)


KINDS: defaultdict[str, list[Kind]] = defaultdict(list)
for kind in _kinds():
    KINDS[kind.name].append(kind)


@cache
def _lineage(kind: Kind) -> frozenset[Kind]:
    """The class, and all that it derives from in the package, as far as their names tell."""
    found, waiting = {kind}, [*kind.bases]
    while waiting:
        new = {*KINDS.get(waiting.pop(), ())} - found
        found |= new
        waiting += [name for each in new for name in each.bases]
    return frozenset(found)


@cache
def _public(kind: Kind) -> frozenset[str]:
    """The public methods of a class, inherited ones included."""
    return frozenset(name for each in _lineage(kind) for name in each.methods if not name.startswith("_"))


@cache
def _sources(kind: Kind, method: str) -> frozenset[object]:
    """Where a class can have a method from: a class in its lineage, another library, or the folder of its game."""
    lineage = _lineage(kind)
    library = any(base not in KINDS and base not in PLAIN for each in lineage for base in each.bases)
    game = [part for part in kind.file.split("/")[:-1] if part in {*SHIPPED, "games"}]
    own = {each for each in lineage if method in each.methods}
    return frozenset({*own, *(["library"] if library else []), *game[:1]})


def _related(one: Kind, other: Kind, method: str) -> bool:
    """Whether a method of two classes is of one protocol: they derive from the same, or have most methods in common."""
    common = len(_public(one) & _public(other))
    alike = common > 1 and 2 * common >= min(len(_public(one)), len(_public(other)))
    return alike or bool(_sources(one, method) & _sources(other, method))


def _meanings(method: str) -> list[list[Kind]]:
    """The classes with a method of this name, those of one protocol together."""
    found: list[list[Kind]] = []
    for kind in (each for kinds in KINDS.values() for each in kinds if method in each.methods):
        related = [group for group in found if any(_related(kind, other, method) for other in group)]
        found = [group for group in found if group not in related]
        found.append([kind, *(each for group in related for each in group)])
    return found


def test_a_method_means_one_thing() -> None:
    """Classes of one protocol share the names of their methods. Few others may have one in common."""
    methods = {name for kinds in KINDS.values() for kind in kinds for name in kind.methods}
    shared = {name: found for name in methods if len(found := _meanings(name)) > MOST_MEANINGS}
    assert shared.keys() == EVERYWHERE.keys(), {
        name: [", ".join(f"{kind.file}:{kind.name}" for kind in group[:2]) for group in found]
        for name, found in shared.items()
        if name not in EVERYWHERE
    }
