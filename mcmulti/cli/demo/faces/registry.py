"""The faces of the rule sets; some have their own."""

from importlib import import_module
from pkgutil import iter_modules

from mcmulti.cli.demo.faces import games
from mcmulti.cli.demo.faces.face import Face
from mcmulti.cli.demo.faces.plain import PLAIN

_OWN: dict[str, Face] = {
    module.name: import_module(f"{games.__name__}.{module.name}").FACE for module in iter_modules(games.__path__)
}


def face_of(ruleset: str) -> Face:
    """How games of the rule set of this name are shown."""
    return _OWN.get(ruleset, PLAIN)
