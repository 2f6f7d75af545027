"""The machine can fail: it notices each server that is broken on purpose."""

import pytest

from tests.model.broken import BROKEN
from tests.model.machine import Differs
from tests.model.run import compared

EXAMPLES, STEPS = 100, 15


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_server_is_noticed(database: str, fault: str) -> None:
    with pytest.raises(Differs):
        compared(database, EXAMPLES, STEPS, start=BROKEN[fault])
