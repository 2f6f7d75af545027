"""One name, one thing."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

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


MOST = 4
"""How many modules may have a function of the same name, such as one that draws a picture and one for text."""
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
