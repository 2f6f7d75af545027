"""The application of `mcmulti replay` on a fair."""

from uuid import UUID

from mcmulti.cli.replay.application import ReplayApp
from mcmulti.cli.replay.story import Story
from mcmulti.simulation import play
from tests.games import CALLED, record
from tests.toy import fair


async def test_a_fair_is_stepped_through_from_the_beginning_to_the_end() -> None:
    """Every event shows something, in both languages and on all pages."""
    steps = list(play(fair.RULESET, fair.RULESET.setup(days=2), 3))
    events = record(UUID(steps[0].state.game_id), steps)
    application = ReplayApp(Story(events, CALLED), at=1, first=1, last=len(events), by="event", language="en")
    async with application.run_test(size=(120, 40)) as pilot:
        for _ in events:
            await pilot.press("right", "tab", "l")
        await pilot.pause()
        assert application.seq == len(events)
        for words in ("Player 1", "Player 5", "wool"):
            assert words in _shown(application)
        await pilot.press("l")
        await pilot.pause()
        assert "Wolle" in _shown(application)
        assert "dollar" not in _shown(application).lower()


def _shown(application: ReplayApp) -> str:
    return " ".join(strip.text for strip in application.screen._compositor.render_strips())
