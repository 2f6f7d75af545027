"""A PostgreSQL with other programs than ours, such as the distribution's, for a block."""

import os
import pwd
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from psycopg.conninfo import make_conninfo
from psycopg.pq import PGconn, Ping

PATIENCE = 60.0


@contextmanager
def other_postgres(programs: Path) -> Iterator[str]:
    """The connection string of a server of these programs, as its superuser."""
    owner = account()
    with tempfile.TemporaryDirectory(prefix="mcmulti-other-") as name:
        folder = Path(name)
        if owner:
            os.chown(folder, owner["user"], owner["group"])
        # In a folder that only root may enter, for example, these programs could not find the way back.
        here: dict[str, Any] = {"cwd": folder, "env": {"LC_ALL": "C", "PATH": "/usr/bin:/bin"}, **owner}
        data = folder / "data"
        options = ("--username=owner", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
        subprocess.run([programs / "initdb", *options, data], check=True, capture_output=True, **here)
        quick = ("-c", "listen_addresses=", "-c", f"unix_socket_directories={folder}", "-c", "fsync=off")
        with (folder / "log").open("wb") as log:
            server = subprocess.Popen([programs / "postgres", "-D", data, *quick], stderr=log, **here)
        try:
            url = make_conninfo(host=name, user="owner", dbname="postgres")
            deadline = time.monotonic() + PATIENCE
            while PGconn.ping(url.encode()) != Ping.OK:
                assert server.poll() is None, (folder / "log").read_text()
                assert time.monotonic() < deadline
                time.sleep(0.05)
            yield url
        finally:
            server.terminate()  # waits for connected clients, for as long as they stay
            try:
                server.wait(5)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def account() -> dict[str, Any]:
    """Options that run a child process as another user if we are root: PostgreSQL does not run as root."""
    if os.geteuid() != 0:
        return {}
    entry = pwd.getpwnam("nobody")
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
