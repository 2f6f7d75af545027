"""Hold the embedded Postgres in a folder until standard input ends: ``python embedded_holder.py <folder>``."""

import signal
import sys
from pathlib import Path

from mcmulti.events.embedded.server import EmbeddedPostgres

if __name__ == "__main__":
    signal.signal(signal.SIGINT, lambda *_: None)
    with EmbeddedPostgres(Path(sys.argv[1])) as postgres:
        print(postgres.url(), flush=True)
        sys.stdin.read()
