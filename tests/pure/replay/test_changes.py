"""Patches for people."""

import msgspec
import pytest

from mcmulti.cli.replay.stage import Difference, differences
from mcmulti.projections.reports.patches import Change


def _changes(*operations: dict[str, object]) -> tuple[Change, ...]:
    return msgspec.convert(
        msgspec.json.decode(msgspec.json.encode(operations), type=tuple[Change, ...]), tuple[Change, ...]
    )


VIEW = {"seats": [{"cash": 300, "name": "Ada"}], "turn": None, "assets": ["rig", "well"], "a/b": {"~": True}}


@pytest.mark.parametrize(
    ("operation", "difference"),
    [
        ({"op": "replace", "path": "/seats/0/cash", "value": 295}, ("seats/0/cash", "300", "295")),
        ({"op": "replace", "path": "/turn", "value": {"n": 1, "at": [1, 2]}}, ("turn", "null", "n 1, at (1, 2)")),
        ({"op": "add", "path": "/assets/0", "value": {"idle": False}}, ("assets/0", None, "idle false")),
        ({"op": "add", "path": "/news", "value": []}, ("news", None, "[]")),
        ({"op": "remove", "path": "/assets/1"}, ("assets/1", "well", None)),
        ({"op": "replace", "path": "/a~1b/~0", "value": {}}, ("a~1b/~0", "true", "{}")),
    ],
)
def test_a_difference_says_where_what_was_and_what_is(
    operation: dict[str, object], difference: tuple[str, str | None, str | None]
) -> None:
    view = msgspec.json.decode(msgspec.json.encode(VIEW))
    assert list(differences(view, _changes(operation))) == [Difference(*difference)]


def test_each_operation_finds_what_those_before_it_left() -> None:
    view = {"pile": ["a", "b", "c"]}
    patch = _changes(
        {"op": "remove", "path": "/pile/0"},
        {"op": "replace", "path": "/pile/0", "value": "d"},
        {"op": "add", "path": "/pile/2", "value": "e"},
    )
    assert list(differences(view, patch)) == [("pile/0", "a", None), ("pile/0", "b", "d"), ("pile/2", None, "e")]


def test_what_moves_leaves_one_place_and_comes_to_another() -> None:
    view = {"likelier": None, "pile": ["a", "b"]}
    patch = _changes({"op": "move", "from": "/pile/1", "path": "/pile/0"})
    assert list(differences(view, patch)) == [("pile/1", "b", None), ("pile/0", None, "b")]


def test_the_first_view_is_no_difference() -> None:
    assert list(differences(None, _changes({"op": "add", "path": "", "value": {}}))) == []
