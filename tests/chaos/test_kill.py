"""One fault of the campaigns in tests/slow/chaos: whatever was acknowledged outlives the server."""

from pathlib import Path

import pytest

from tests.slow.chaos.campaign import campaign

SEED = 20121


@pytest.mark.timeout(900)
async def test_a_server_is_killed(tmp_path: Path) -> None:
    fault = "a server killed"
    print(f"python -m tests.slow.chaos --seconds 0 --seed {SEED} --only '{fault}'")
    outcome = await campaign(tmp_path, [fault], SEED)
    assert outcome.verdict.sound, outcome.verdict
    assert outcome.faults == {fault: 1}
    assert outcome.acknowledged
