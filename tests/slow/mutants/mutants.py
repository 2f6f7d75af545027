"""All small changes of a module that cosmic-ray knows."""

import ast
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path
from typing import NamedTuple

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

Span = tuple[tuple[int, int], tuple[int, int]]


class Mutant(NamedTuple):
    """A module, below the root, in which the `occurrence` of an operator, in this line, is applied."""

    module: Path
    line: int
    operator: str
    occurrence: int

    def code(self, root: Path) -> str:
        """The module with the change."""
        code, operator = (root / self.module).read_bytes(), get_operator(self.operator)()
        changed: str | None = mutate_code(code, operator, self.occurrence)
        assert changed is not None
        return changed

    def diff(self, root: Path) -> str:
        """The description of the change."""
        before = (root / self.module).read_text("utf-8").splitlines()
        changes = unified_diff(before, self.code(root).splitlines(), n=0, lineterm="")
        return "\n".join(line for line in changes if not line.startswith(("---", "+++", "@@")))


def mutants(root: Path, module: Path) -> Iterator[Mutant]:
    """Every mutant of a module, except those of annotations, which nothing executes."""
    code = (root / module).read_text("utf-8")
    annotations = list(_annotations(code))
    tree = get_ast(code)
    for name in operator_names():
        operator = get_operator(name)
        if operator.arguments():
            continue
        positions = (span for node in ast_nodes(tree) for span in operator().mutation_positions(node))
        for occurrence, (start, end) in enumerate(positions):
            if not any(first <= start and end <= last for first, last in annotations):
                yield Mutant(module, start[0], name, occurrence)


def _annotations(code: str) -> Iterator[Span]:
    for node in ast.walk(ast.parse(code)):
        for name in ("annotation", "returns"):
            found = getattr(node, name, None)
            if found is not None:
                yield (found.lineno, found.col_offset), (found.end_lineno, found.end_col_offset)
