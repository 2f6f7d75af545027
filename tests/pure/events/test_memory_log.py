import pytest

from mcmulti.events.store.memory import MemoryLog
from mcmulti.events.store.ports import Log
from tests.events.log_contract import LogContract


class TestMemoryLog(LogContract):
    @pytest.fixture
    def log(self) -> Log:
        return MemoryLog()
