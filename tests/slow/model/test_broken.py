"""The machine can fail: it notices each server that is broken on purpose."""

import pytest
from hypothesis.errors import FlakyFailure

from tests.slow.model.broken import BROKEN
from tests.slow.model.machine import Differs
from tests.slow.model.run import compared

EXAMPLES, STEPS = 100, 15


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_server_is_noticed(database: str, fault: str) -> None:
    """All rules of the machine run. Those that reveal the fault run more often, so that it is found soon."""
    start, rules = BROKEN[fault]
    with pytest.raises((Differs, FlakyFailure)) as noticed:  # which of two requests comes first may change
        compared(database, EXAMPLES, STEPS, start=start, rules=rules)
    assert isinstance(noticed.value, Differs) or noticed.group_contains(Differs)
