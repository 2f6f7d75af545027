"""Bundle modules into one, for a page that is a single file and loads nothing.

The modules of `static` use only few forms of import and export, each at the beginning of a line, so that no parser is
needed. Everything else is refused.
"""

import re
from collections.abc import Mapping

from mcmulti.web.files import StaticFile, module_at

_IMPORT = re.compile(r'^import (?:(\*) as )?(\{[^}]*\}|\w+) from "(\.[^"]+)";$', re.MULTILINE)
_DECLARED = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)
_NOTHING = re.compile(r"^export \{\};$", re.MULTILINE)
_LEFT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_LATER = re.compile(r'\bimport\("(\.[^"]+)"\)')
_HERE = "import.meta.url"


class CannotBundle(ValueError):
    """A module uses syntax that is not supported here."""


def bundle(files: Mapping[str, StaticFile], entry: str) -> str:
    """The module at a path with everything it imports, directly or indirectly, as one module.

    Dynamic imports are not included: such an import fails. Raises `CannotBundle`.
    """
    found: dict[str, str] = {}
    _add(files, entry, found, ())
    return "".join(found.values())


def _add(files: Mapping[str, StaticFile], path: str, found: dict[str, str], above: tuple[str, ...]) -> None:
    """Add a module after those that it imports."""
    if path in above:
        raise CannotBundle(f"{path} is imported by what it imports")
    source = files[path].body.decode()
    for _, _, other in _IMPORT.findall(source):
        if module_at(path, other) not in found:
            _add(files, module_at(path, other), found, (*above, path))
    found[path] = _wrapped(path, source)


def _wrapped(path: str, source: str) -> str:
    """A module as a constant with its exports."""
    names = _DECLARED.findall(source)
    text = _IMPORT.sub(lambda match: _taken(path, match), source)
    text = _NOTHING.sub("", _DECLARED.sub("", text))
    text = _LATER.sub("Promise.reject(new Error())", text).replace(_HERE, "document.baseURI")
    if left := _LEFT.search(text):
        raise CannotBundle(f"{path}: {left[0]}")
    if "</script" in text.lower() or "<!--" in text:
        raise CannotBundle(f"{path} would end the script that it stands in")
    return f"const {_variable(path)} = await (async () => {{\n{text}return {{ {', '.join(names)} }};\n}})();\n"


def _taken(path: str, match: re.Match[str]) -> str:
    everything, names, other = match.groups()
    taken = names if everything else re.sub(r"(\w+) as (\w+)", r"\1: \2", " ".join(names.split()))
    return f"const {taken} = {_variable(module_at(path, other))};"


def _variable(path: str) -> str:
    return "$" + re.sub(r"\W", "_", path.removesuffix(".js"))
