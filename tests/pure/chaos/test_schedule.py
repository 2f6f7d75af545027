"""Which faults a campaign has, and when."""

from tests.slow.chaos.faults import FAULTS, VOLUMES, schedule


def test_the_same_seed_gives_the_same_schedule_and_every_kind_comes_in_turn() -> None:
    plans = [[next(plan) for plan in [schedule(list(FAULTS), seed)] for _ in range(60)] for seed in (1, 1, 2)]
    assert plans[0] == plans[1] != plans[2]
    kinds = [planned.kind for planned in plans[0]]
    assert set(kinds[: len(FAULTS)]) == set(kinds[len(FAULTS) : 2 * len(FAULTS)]) == set(FAULTS)
    assert FAULTS.keys() > VOLUMES
