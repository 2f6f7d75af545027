"""A process that has imported what a command needs, and forks for each one, since imports are most of the cost.

A fork is a process with its own session, environment, and standard streams. In ``/proc``, it shows the command line and
the environment of the process it was forked from.
"""

import atexit
import gc
import importlib
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from typing import TypedDict

import mcmulti

_MOST_BYTES = 1 << 17
_REPORT = 16
"""Bytes of a report. If two reports had no fixed length, they could be read as one number on a busy machine."""


class _Order(TypedDict):
    arguments: list[str]
    environment: dict[str, str]
    folder: str


class Fork:
    """A running fork, with the interface of `subprocess.Popen`."""

    def __init__(self, reports: int, parent: subprocess.Popen[bytes]) -> None:
        self.returncode: int | None = None
        self._reports, self._parent = reports, parent
        self.pid = self._report()

    def poll(self) -> int | None:
        """The exit code if it has ended. A negative number is the signal that ended it."""
        return self._read(0.0)

    def wait(self, timeout: float | None = None) -> int:
        """The exit code once it has ended."""
        code = self._read(timeout)
        if code is None:
            raise subprocess.TimeoutExpired("a fork", timeout or 0.0)
        return code

    def send_signal(self, number: int) -> None:
        """Signal it, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def _read(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._reports], [], [], timeout)[0]:
            self.returncode = self._report()
            os.close(self._reports)
        return self.returncode

    def _report(self) -> int:
        report = os.read(self._reports, _REPORT)
        assert report, f"the process that forks has ended: {self._parent.wait(10)}"
        return int(report)


class Warm:
    """The process that forks, for a module that ``python -m`` would run."""

    def __init__(self, module: str, toy: str | None) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._orders = ours
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", **({} if toy is None else {"TOY": toy})}
        command = [sys.executable, "-m", "tests.cli.warm", module, str(theirs.fileno())]
        with theirs:
            self._process = subprocess.Popen(
                command, env=environment, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()], start_new_session=True
            )

    @property
    def runs(self) -> bool:
        """Whether it is still running."""
        return self._process.poll() is None

    def end(self) -> None:
        """End it. Running forks continue without it."""
        self._orders.close()
        self._process.wait()

    def fork(self, arguments: tuple[str, ...], environment: dict[str, str], streams: tuple[int, int, int]) -> Fork:
        """Run the module with these arguments, environment, and standard streams, in the current folder."""
        order = json.dumps({"arguments": arguments, "environment": environment, "folder": os.getcwd()}).encode()
        assert len(order) < _MOST_BYTES
        reports, reporting = os.pipe()
        socket.send_fds(self._orders, [order], [*streams, reporting])
        os.close(reporting)
        return Fork(reports, self._process)


_WARM = dict[tuple[str, str | None], Warm]()


def warm(module: str, toy: str | None) -> Warm:
    """One for each module and each plugged-in toy. One that was killed is replaced."""
    found = _WARM.get((module, toy))
    if found is None or not found.runs:
        found = _WARM[module, toy] = Warm(module, toy)
        atexit.register(found.end)
    return found


def _import_all(module: str) -> None:
    """Modules that commands import when they run, without those of extras and of the terminal application."""
    for name in ("httpcore", "anyio._backends._asyncio"):  # clients import them when they begin
        importlib.import_module(name)
    if module == "tests.toy.mcmulti":
        importlib.import_module("tests.toy.plugged")  # must come before the API
    for found in pkgutil.walk_packages(mcmulti.__path__, "mcmulti."):
        if not found.name.startswith(("mcmulti.__main__", "mcmulti.training")):
            importlib.import_module(found.name)


def _send(reports: int, number: int) -> None:
    os.write(reports, b"%*d" % (_REPORT, number))


def _forked(orders: socket.socket) -> _Order | None:
    """Fork for each order. Return the order in a fork, and None when no more orders can come."""
    waking, woken = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    reporting = dict[int, int]()
    while True:
        ready = select.select([orders.fileno(), waking], [], [])[0]
        if waking in ready:
            os.read(waking, 1024)
            while reporting:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if not pid:
                    break
                _send(reporting[pid], os.waitstatus_to_exitcode(status))
                os.close(reporting.pop(pid))
        if orders.fileno() in ready:
            order, descriptors, _, _ = socket.recv_fds(orders, _MOST_BYTES, 4)
            if not order:
                return None
            pid = os.fork()
            if pid == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                os.setsid()
                for number, descriptor in enumerate(descriptors[:3]):
                    os.dup2(descriptor, number)
                _send(descriptors[3], os.getpid())
                for descriptor in (*descriptors, *reporting.values(), waking, woken):
                    os.close(descriptor)
                orders.close()
                found: _Order = json.loads(order)
                return found
            for descriptor in descriptors[:3]:
                os.close(descriptor)
            reporting[pid] = descriptors[3]


class _End:
    """Ends a fork without tearing down its modules, which takes most of the time of a short command."""

    code: object = None

    def __call__(self) -> None:
        if isinstance(self.code, int):
            gc.collect()  # destructors report what they find
            with suppress(OSError):  # Python itself reports it
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(self.code)


def _main(module: str, descriptor: int) -> None:
    end = _End()
    atexit.register(end)  # before all others, so it runs after them
    with socket.socket(fileno=descriptor) as orders:
        gc.disable()  # imports leave no garbage
        _import_all(module)
        assert threading.active_count() == 1, "a fork of one thread of several may hang"
        gc.collect()
        gc.freeze()
        gc.enable()
        order = _forked(orders)
    if order is not None:
        os.environ.clear()
        os.environ.update(order["environment"])
        os.chdir(order["folder"])
        tempfile.tempdir = None  # it was computed in another environment
        sys.argv = [module, *order["arguments"]]
        try:
            runpy.run_module(module, run_name="__main__", alter_sys=True)
        except SystemExit as ended:
            end.code = 0 if ended.code is None else ended.code
            raise


if __name__ == "__main__":
    _main(sys.argv[1], int(sys.argv[2]))
