"""Strategies by name: bundled ones, those in a Python file, and programs in any language."""

import importlib.util
import os
import shutil
import sys
from collections.abc import Callable
from inspect import Parameter, isclass, signature
from pathlib import Path
from types import ModuleType
from typing import Any

from mcmulti.bots.strategies.program import Program
from mcmulti.bots.strategies.registry import strategies_of, strategy_for
from mcmulti.bots.strategy import Maker, NoStrategy, Strategy


def is_own(name: str) -> bool:
    """Whether this names a user's file or program, not a bundled strategy."""
    return ".py:" in name or name.endswith(".py") or os.sep in name


def strategy_name(name: str) -> str:
    """The players' name for a strategy, at most 30 characters: the file and the class, without folders."""
    last = name.rpartition(os.sep)[2] if is_own(name) else name
    return "".join(letter if letter.isprintable() else "?" for letter in last)[:30].strip() or "bot"


def maker_of(ruleset: str, name: str) -> Maker:
    """The maker of the strategy with this name for a rule set.

    ``tycoon``: a bundled one. ``my_bot.py:Mine``: the class or function ``Mine`` of that file. ``./my_bot``: a program,
    which is any executable path with a slash. Raises `NoStrategy`.
    """
    if ".py:" in name:
        path, _, member = name.rpartition(":")
        return _maker(name, _member(Path(path), member))
    if name.endswith(".py"):
        raise NoStrategy(f"{name}: add the class or function, such as {name}:Mine.")
    if os.sep in name:
        if shutil.which(name) is None:
            raise NoStrategy(f"{name} is not an executable program.")
        return lambda seed: Program(name, ruleset, seed)
    if name not in strategies_of(ruleset):
        known = " or ".join(sorted(strategies_of(ruleset)))
        raise NoStrategy(f"{name!r} does not play {ruleset}: {known}, my_bot.py:Mine or ./my_program.")
    return strategy_for(ruleset, name)


def _member(path: Path, name: str) -> Callable[..., Any]:
    """The class or function with this name in a Python file."""
    if not path.is_file():
        raise NoStrategy(f"There is no file {path}.")
    found = getattr(_module(path.resolve()), name, None)
    if not callable(found):
        raise NoStrategy(f"{path} has no class or function {name}.")
    member: Callable[..., Any] = found
    return member


def _module(path: Path) -> ModuleType:
    """The module in a file, which can import its neighbors."""
    name = f"strategy_{path.stem}_{abs(hash(str(path)))}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise NoStrategy(f"{path} is not a Python file.")
    module = importlib.util.module_from_spec(spec)
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise NoStrategy(f"{path} cannot be loaded: {type(error).__name__}: {error}") from error
    return module


def _maker(name: str, found: Callable[..., Any]) -> Maker:
    """The maker for what was found: a strategy itself, or a function that makes one from a seed, or from nothing."""
    try:
        needed = [
            parameter
            for parameter in signature(found).parameters.values()
            if parameter.default is Parameter.empty
            and parameter.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
        ]
    except (TypeError, ValueError):
        needed = []
    if len(needed) == 2 and not isclass(found):
        strategy: Strategy = found
        return lambda seed: strategy
    if len(needed) > 1:
        raise NoStrategy(
            f"{name} takes {len(needed)} arguments: a strategy takes view and offers, and a factory takes a seed."
        )

    def from_seed(seed: int) -> Strategy:
        result = found(*((seed,) if _takes_a_seed(found) else ()))
        if not callable(result):
            raise NoStrategy(f"{name} makes {type(result).__name__}, which cannot be called with view and offers.")
        mind: Strategy = result
        return mind

    return from_seed


def _takes_a_seed(found: Callable[..., Any]) -> bool:
    try:
        signature(found).bind(0)
    except (TypeError, ValueError):
        return False
    return True
