"""The public types of strategies: they are the contract's, and the wire's."""

import subprocess
import sys
import types
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NotRequired, get_args, get_origin

import msgspec
import pytest

from mcmulti.arena.local import local_game
from mcmulti.bots import types as public
from mcmulti.bots.strategies.registry import strategies_of, strategy_for
from mcmulti.domain.rulesets import SHIPPED
from tests.bots.contract_types import MODULE, module

VIEWS: dict[str, tuple[Any, Any]] = {
    name: (getattr(public, view), getattr(public, f"{view.removesuffix('View')}Command"))
    for name, view in ((name, ruleset.view_type.__name__) for name, ruleset in SHIPPED.items())
}


def test_the_types_follow_from_the_contract() -> None:
    assert MODULE.read_text("utf-8") == module(), "run `make docs`"


@pytest.mark.parametrize("name", VIEWS)
def test_a_game_is_as_its_types_say(name: str) -> None:
    """Views and offers that the arena shows, and what a house bot answers, have these keys, values and no others."""
    view_type, command_type = VIEWS[name]
    game = local_game(name, seed=3)
    seats = range(len(game.sitters))
    minds = [strategy_for(name, strategies_of(name)[0])(seat) for seat in seats]
    seen = 0
    while game.to_move and seen < 150:
        seat = game.to_move[0]
        view, offers = (msgspec.json.decode(each) for each in (game.view(seat), game.offers(seat)))
        commands = minds[seat](view, offers)
        shown = [(view, view_type), *((offer, public.Offer) for offer in offers)]
        for value, kind in [*shown, *((command, command_type) for command in commands)]:
            assert not list(_wrong(value, kind, ""))
        game.send(seat, commands)
        seen += 1
    assert seen > 5


@pytest.mark.parametrize("spoilt", [{"kind": "rig"}, {"kind": "rig", "site": {}, "idle": 1}, {"kind": "x"}])
def test_what_is_otherwise_is_noticed(spoilt: dict[str, Any]) -> None:
    assert list(_wrong(spoilt, public.AssetView, ""))


def _wrong(value: Any, kind: Any, at: str) -> Iterator[str]:
    """Where a value is not of a type."""
    origin, arguments = get_origin(kind), get_args(kind)
    if typing.is_typeddict(kind):
        yield from _wrong_keys(value, typing.get_type_hints(kind, include_extras=True), at)
    elif origin is list and isinstance(value, list):
        yield from (wrong for n, each in enumerate(value) for wrong in _wrong(each, arguments[0], f"{at}[{n}]"))
    elif origin is dict and isinstance(value, dict):
        yield from (wrong for key, each in value.items() for wrong in _wrong(each, arguments[1], f"{at}.{key}"))
    elif origin is Literal:
        yield from () if value in arguments else (at,)
    elif origin in (types.UnionType, typing.Union):
        yield from () if any(not list(_wrong(value, each, at)) for each in arguments) else (at,)
    elif type(value) is not kind:
        yield at


def _wrong_keys(value: Any, hints: dict[str, Any], at: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield at
        return
    yield from (f"{at}.{key}" for key in value.keys() - hints.keys())
    for key, hint in hints.items():
        may_be_missing = get_origin(hint) is NotRequired
        if key in value:
            yield from _wrong(value[key], get_args(hint)[0] if may_be_missing else hint, f"{at}.{key}")
        elif not may_be_missing:
            yield f"{at}.{key}"


WRONG = """
from mcmulti.bots.types import McMultiCommand, McMultiStrategy, McMultiView, Offer


def rich(view: McMultiView, offers: list[Offer]) -> list[McMultiCommand]:
    return [{"type": "BuyBarrel", "market": "domestic", "good": "crude", "quantity": view["economie"]}]


mine: McMultiStrategy = rich
"""


def test_a_type_checker_finds_a_key_that_there_is_not(tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text(WRONG)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "wrong.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 1, done.stdout + done.stderr
    assert 'has no key "economie"' in done.stdout
    assert "BuyBarrel" in done.stdout
