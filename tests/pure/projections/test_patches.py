"""Patches between any two values, applied by the library."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonpatch import apply_patch
from msgspec import UNSET, Struct, UnsetType

from mcmulti.domain.rulesets import CURRENT
from mcmulti.projections.reports.patches import patch
from tests.pure.properties.random_games import moment
from tests.thorough import examples


class Piece(Struct, frozen=True):
    """A made-up view: a member that needs escaping, an optional one, and others."""

    kind: str = msgspec.field(name="a/b~c")
    idle: bool | UnsetType
    sites: tuple[int, ...]
    within: "Piece | Crate | None" = None


class Crate(Struct, frozen=True, tag=True):
    goods: dict[str, tuple[str, ...]]


class Short(Struct, frozen=True, omit_defaults=True):
    """A type that omits members by itself."""

    number: int = 0
    name: str = ""


words = st.sampled_from(["", "rig", "well", "a/b", "~", "~1", "é"])
scalars = st.none() | st.integers(2, 5) | words
json = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=6) | st.dictionaries(words, inner, max_size=4), max_leaves=20
)
crates = st.builds(Crate, st.dictionaries(words, st.lists(words, max_size=4).map(tuple), max_size=3))
pieces = st.recursive(
    crates | st.none(),
    lambda inner: st.builds(
        Piece, words, st.booleans() | st.just(UNSET), st.lists(st.integers(2, 5), max_size=6).map(tuple), inner
    ),
    max_leaves=4,
)
shorts = st.builds(Short, st.integers(0, 2), words)
views = st.lists(json | pieces | shorts, max_size=6).map(tuple)


def plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def patched(before: Any, after: Any) -> Any:
    """The result of applying the patch between two values to the first, with the library."""
    return apply_patch(plain(before), plain(patch(before, after)))


@examples(300)
@given(views, views)
def test_a_patch_leads_from_any_value_to_any_other(before: Any, after: Any) -> None:
    assert patched(before, after) == plain(after)


@examples(100)
@given(st.lists(words | pieces, max_size=8), st.randoms(use_true_random=False))
def test_a_list_may_be_shuffled(items: list[Any], random: Any) -> None:
    after = random.sample(items, random.randint(0, len(items)))
    assert patched(items, after) == plain(after)


@pytest.mark.parametrize("name", CURRENT)
@examples(60)
@given(st.integers(0, 3), st.integers(0, 1000), st.integers(0, 1000), st.none() | st.integers(0, 1))
def test_a_patch_leads_from_any_view_of_a_game_to_any_other(
    name: str, seed: int, number: int, other: int, seat: int | None
) -> None:
    ruleset = CURRENT[name]
    before, after = (ruleset.view(moment(name, seed, at), seat) for at in (number, other))
    assert patched(before, after) == plain(after)


def test_what_stayed_is_not_named() -> None:
    """One asset goes, one comes, a refinery rests, and a market does not change."""
    before = {"assets": [("rig", 1), ("rig", 2), ("well", 3)], "idle": False, "markets": [4, 5], "gone": 1}
    after = {"assets": [("rig", 2), ("station", 9), ("well", 3)], "idle": True, "markets": [4, 5], "new": None}
    assert plain(patch(before, after)) == [
        {"op": "remove", "path": "/gone"},
        {"op": "remove", "path": "/assets/0"},
        {"op": "add", "path": "/assets/1", "value": ["station", 9]},
        {"op": "replace", "path": "/idle", "value": True},
        {"op": "add", "path": "/new", "value": None},
    ]


def test_nothing_changes_nothing() -> None:
    assert patch({"turn": 1}, {"turn": 1}) == ()
