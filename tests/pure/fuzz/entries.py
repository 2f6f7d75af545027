"""Places where the code decodes bytes or text. They are found in the code, so none can be forgotten."""

import ast
from collections.abc import Iterator
from pathlib import Path

import mcmulti

ROOT = Path(mcmulti.__file__).parent
PACKAGES = ("api", "cli", "client", "events", "library", "projections", "puzzles", "referee", "server")
"""Folders that outside input passes through. Rules and bots get decoded values."""
ALWAYS = {
    "Decoder",
    "conninfo_to_dict",
    "convert",
    "fromhex",
    "fromisoformat",
    "ip_address",
    "ip_network",
    "json",
    "loads",
    "parse_qsl",
    "urlsplit",
}
"""Names of functions that decode."""
OF_VALUES = {"UUID", "float", "int"}
"""Names of functions that decode unless they get only constants."""


def decoders() -> set[str]:
    """Every function or name of a module in which something is decoded, as ``events.game_file:read``."""
    return {
        f"{'.'.join(path.relative_to(ROOT).with_suffix('').parts)}:{name}"
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        for name in _decoding(ast.parse(path.read_text()).body, "")
    }


def _decoding(body: list[ast.stmt], within: str) -> Iterator[str]:
    for statement in body:
        if isinstance(statement, ast.ClassDef):
            yield from _decoding(statement.body, f"{within}{statement.name}.")
        elif any(isinstance(node, ast.Call) and _decodes(node) for node in ast.walk(statement)):
            yield within + _name(statement)


def _name(statement: ast.stmt) -> str:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
        return statement.name
    if isinstance(statement, ast.Assign):
        return ast.unparse(statement.targets[0])
    return ast.unparse(statement.target) if isinstance(statement, ast.AnnAssign) else type(statement).__name__


def _decodes(call: ast.Call) -> bool:
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if name == "decode":  # text from bytes, if only the encoding is given
        return any(not isinstance(argument, ast.Constant) for argument in call.args)
    if name in OF_VALUES:
        return any(not isinstance(argument, ast.Constant) for argument in call.args)
    return name in ALWAYS
