import pytest

from mcmulti.events.log import Log
from mcmulti.events.memory import MemoryLog
from tests.events.log_contract import LogContract


class TestMemoryLog(LogContract):
    @pytest.fixture
    def log(self) -> Log:
        return MemoryLog()
