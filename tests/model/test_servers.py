"""A few examples of what tests/slow/model compares at length: servers do as the model of them does."""

import pytest

from tests.slow.model.run import compared


@pytest.mark.timeout(900)
def test_servers_do_as_the_model_does(database: str) -> None:
    compared(database, examples=4, steps=12)
