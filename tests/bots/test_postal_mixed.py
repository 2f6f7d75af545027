"""Bots by post run by a server: nobody else can compute their sealed sheets, and afterward everybody can."""

from collections.abc import Callable

import pytest

from mcmulti.bots.strategies.postal.mixed import MixedSheets, SwayingMagnate, SwayingTycoon
from mcmulti.bots.strategies.postal.wild import WildSheets
from mcmulti.bots.strategies.registry import STRATEGIES
from mcmulti.bots.strategy import View
from mcmulti.client.json_object import Json
from tests.bots.by_post import magnate_sheet, play, tycoon_sheet
from tests.pure.postal.situations import A

Writer = Callable[[View, int], Json]


def seen_by(writers: list[Writer], seed: int) -> list[View]:
    """The views of the first of these writers in a game."""
    views: list[View] = []

    def noting(view: View, seat: int) -> Json:
        views.append(view)
        return writers[0](view, seat)

    play([noting, *writers[1:]], seed)
    return views


@pytest.mark.parametrize(("outlook", "known"), [(SwayingMagnate, magnate_sheet), (SwayingTycoon, tycoon_sheet)])
def test_its_sealed_sheet_cannot_be_computed_from_what_others_see(
    outlook: type[SwayingMagnate | SwayingTycoon], known: Writer
) -> None:
    """Computing the sheet without a seed, or with another one, is wrong in most rounds; the same seed writes the same
    sheet.
    """
    one, other = MixedSheets(1, outlook), MixedSheets(2, outlook)
    views = [view for seed in range(3) for view in seen_by([one, other, other, other], seed)]
    assert len(views) > 20
    sheets = [one(view, A) for view in views]
    assert sheets == [MixedSheets(1, outlook)(view, A) for view in views]
    for guess in (known, other):
        assert sum(sheet == guess(view, A) for sheet, view in zip(sheets, views, strict=True)) < len(views) / 2


def test_a_random_sheet_depends_on_seed_and_view_alone_and_not_on_what_was_written_before() -> None:
    """So a bot that a server restarts in the middle of a game writes what it would have written."""
    views = seen_by([WildSheets(1)] * 4, 1)
    running = WildSheets(1)
    sheets = [running(view, A) for view in views]
    assert sheets[::-1] == [WildSheets(1)(view, A) for view in views[::-1]]
    assert sheets != [WildSheets(2)(view, A) for view in views]


@pytest.mark.parametrize("name", STRATEGIES["postal"])
def test_every_level_writes_another_sheet_for_another_seed(name: str) -> None:
    make = STRATEGIES["postal"][name]
    view = seen_by([WildSheets(1)] * 4, 1)[0] | {"sheet": None, "you": A}
    assert len({str(make(seed)(view, [])) for seed in range(12)}) > 3
