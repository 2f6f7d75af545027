"""``mcmulti serve``, except for two things that a campaign cannot wait for, or must not do to the machine.

It gives up on its own PostgreSQL after ``CHAOS_GIVE_UP`` seconds, and the clock of its process is ahead of the
machine's by the seconds in the file ``CHAOS_CLOCK``. Run as ``python -m tests.slow.chaos.serving serve ...``.
"""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

from mcmulti.cli import main
from mcmulti.referee import clock
from mcmulti.server import database


def wall() -> datetime:
    """The time that the clock shows."""
    ahead = Path(os.environ["CHAOS_CLOCK"]).read_text()
    return datetime.now(UTC) + timedelta(seconds=float(ahead or 0))


if __name__ == "__main__":
    database.GIVE_UP = float(os.environ.get("CHAOS_GIVE_UP", database.GIVE_UP))
    if "CHAOS_CLOCK" in os.environ:
        clock.SteadyClock.__init__.__defaults__ = (wall, clock.passed)
    main()
