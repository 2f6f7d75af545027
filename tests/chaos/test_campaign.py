"""A short campaign, with a seed that it prints: nothing acknowledged is lost, and nothing is carried out twice."""

import random
from pathlib import Path

import pytest

from tests.chaos.campaign import campaign

SECONDS = 25.0


@pytest.mark.timeout(300)
async def test_servers_under_faults_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    seed = random.SystemRandom().randrange(10_000)
    print(f"python -m tests.chaos --seconds {SECONDS:g} --seed {seed}")
    outcome = await campaign(tmp_path, SECONDS, seed)
    assert outcome.verdict.sound, outcome.verdict
    assert outcome.acknowledged > 50
    assert sum(outcome.faults.values()) > 3
