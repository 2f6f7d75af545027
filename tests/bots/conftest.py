"""What tests of bots share."""

from collections.abc import AsyncIterator

import pytest

from mcmulti.server.database import opened_log
from mcmulti.server.process import bound
from tests.api.applications import answering_again


@pytest.fixture
async def server(database: str) -> AsyncIterator[str]:
    """The address of a server."""
    with bound("127.0.0.1", 0) as listener:
        async with opened_log(database) as log, answering_again(log, listener) as address:
            yield address
