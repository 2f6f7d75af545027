import pytest

from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.log import Log
from tests.events.log_contract import LogContract


class TestMemoryLog(LogContract):
    @pytest.fixture
    def log(self) -> Log:
        return MemoryLog()
