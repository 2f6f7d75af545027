"""Whatever players do and whatever happens to servers, everything visible is what the model says."""

import pytest

from mcmulti.events.embedded.server import EmbeddedPostgres
from tests.slow.model.run import compared, compared_processes


@pytest.mark.timeout(1200)
def test_servers_do_as_the_model_does(database: str) -> None:
    compared(database, examples=15, steps=20)


@pytest.mark.timeout(1200)
def test_servers_that_are_killed_do_as_the_model_does(postgres: EmbeddedPostgres, migrated: str) -> None:
    compared_processes(postgres, migrated, examples=2, steps=12)
