"""Short campaigns, with seeds that they print: nothing acknowledged is lost, and nothing is carried out twice."""

import random
from pathlib import Path

import pytest

from tests.slow.chaos.campaign import campaign
from tests.slow.chaos.faults import FAULTS, GROUPS, VOLUMES, schedule

NEEDS = {"disks": pytest.mark.needs("mount")}


@pytest.mark.timeout(900)
@pytest.mark.parametrize("group", [pytest.param(name, marks=NEEDS.get(name, ())) for name in GROUPS])
async def test_faults(group: str, tmp_path: Path) -> None:
    """Every kind of the group once, in any order."""
    seed = random.SystemRandom().randrange(10_000)
    print(
        " ".join(
            ["python -m tests.slow.chaos --seconds 0", f"--seed {seed}", *(f"--only '{k}'" for k in GROUPS[group])]
        )
    )
    outcome = await campaign(tmp_path, list(GROUPS[group]), seed)
    assert outcome.verdict.sound, outcome.verdict
    assert outcome.faults.keys() == GROUPS[group].keys()
    assert outcome.acknowledged >= len(outcome.faults)
    assert outcome.timed_out
    assert outcome.taken_back
    assert outcome.revoked


def test_the_same_seed_gives_the_same_schedule_and_every_kind_comes_in_turn() -> None:
    plans = [[next(plan) for plan in [schedule(list(FAULTS), seed)] for _ in range(60)] for seed in (1, 1, 2)]
    assert plans[0] == plans[1] != plans[2]
    kinds = [planned.kind for planned in plans[0]]
    assert set(kinds[: len(FAULTS)]) == set(kinds[len(FAULTS) : 2 * len(FAULTS)]) == set(FAULTS)
    assert FAULTS.keys() > VOLUMES
