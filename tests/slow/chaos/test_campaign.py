"""Short campaigns with fixed seeds: nothing acknowledged is lost, and nothing is carried out twice."""

from pathlib import Path

import pytest

from tests.slow.chaos.campaign import campaign
from tests.slow.chaos.faults import GROUPS

SEED = 20121
NEEDS = {"disks": pytest.mark.needs("mount")}


@pytest.mark.timeout(900)
@pytest.mark.parametrize("group", [pytest.param(name, marks=NEEDS.get(name, ())) for name in GROUPS])
async def test_faults(group: str, tmp_path: Path) -> None:
    """Every kind of the group once, in any order."""
    print(
        " ".join(
            ["python -m tests.slow.chaos --seconds 0", f"--seed {SEED}", *(f"--only '{k}'" for k in GROUPS[group])]
        )
    )
    outcome = await campaign(tmp_path, list(GROUPS[group]), SEED)
    assert outcome.verdict.sound, "\n".join(map(str, outcome.verdict))
    assert outcome.faults.keys() == GROUPS[group].keys()
    assert outcome.acknowledged >= len(outcome.faults)
    assert outcome.timed_out
    assert outcome.taken_back
    assert outcome.revoked
