"""Exposes metrics to Prometheus: of one process, or of several that serve together."""

import asyncio
import platform
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from threading import Lock

from litestar.types import ASGIApp, Receive, Scope, Send
from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import generate_latest
from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from mcmulti.api.http.answers import Answer

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable for the folder of several processes' metrics; the library reads it when a process starts."""
PATH = "/metrics"
WATCHING = "0"
"""The label of the process that supervises the workers."""

Processes = Callable[[], Mapping[str, int]]
"""The processes of a server by their labels."""


class ServerProcesses(Collector):
    """Resource use of a server's processes. The time of a replaced worker is included."""

    def __init__(self, processes: Processes) -> None:
        self._processes = processes
        self._seen: dict[str, tuple[int, float]] = {}
        self._gone: dict[str, float] = {}

    def collect(self) -> Iterator[Metric]:
        families: dict[str, Metric] = {}
        for label, pid in self._processes().items():
            for family in ProcessCollector(pid=lambda pid=pid: pid, registry=None).collect():  # type: ignore[misc]
                kept = families.setdefault(
                    family.name, Metric(family.name, family.documentation, family.type, family.unit)
                )
                for sample in family.samples:
                    value = sample.value
                    if sample.name == "process_cpu_seconds_total":
                        value = self._counted_on(label, pid, value)
                    kept.add_sample(sample.name, {**sample.labels, "worker": label}, value)
        yield from families.values()

    def _counted_on(self, label: str, pid: int, seconds: float) -> float:
        before, last = self._seen.get(label, (pid, 0.0))
        if before != pid:
            self._gone[label] = self._gone.get(label, 0.0) + last
        self._seen[label] = pid, seconds
        return self._gone.get(label, 0.0) + seconds


class Build(Collector):
    """The installed version."""

    def collect(self) -> Iterator[Metric]:
        told = {"version": version("mcmulti"), "python": platform.python_version()}
        family = GaugeMetricFamily("mcmulti_build_info", "Always 1; its labels say what is installed.", labels=[*told])
        family.add_metric([*told.values()], 1)
        yield family


class CountedTogether(Collector):
    """Metrics of a server's processes, in a newly created folder. The counts of a process are kept when it ends."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: dict[str, int] = {}
        self._moving = Lock()

    @classmethod
    @contextmanager
    def in_folder(cls) -> Iterator["CountedTogether"]:
        """The folder exists while the block runs."""
        with tempfile.TemporaryDirectory(prefix="mcmulti-metrics-", ignore_cleanup_errors=True) as folder:
            yield cls(Path(folder))

    @property
    def environment(self) -> dict[str, str]:
        """The environment that makes a process count there."""
        return {FOLDER: str(self.folder)}

    def ended(self, pid: int) -> None:
        """A process has ended: its gauges are removed, and its counts are added to those of all ended processes.

        So after a thousand ends there are as many files as after one.
        """
        mark_process_dead(pid, str(self.folder))  # type: ignore[no-untyped-call]
        with self._moving:
            for kind in ("counter", "histogram"):
                own = self.folder / f"{kind}_{pid}.db"
                if own.exists():
                    of_all = MmapedDict(str(self.folder / f"{kind}_ended.db"))  # type: ignore[no-untyped-call]
                    for key, value, *_ in MmapedDict.read_all_values_from_file(str(own)):  # type: ignore[no-untyped-call]
                        of_all.write_value(key, of_all.read_value(key)[0] + value, 0.0)  # type: ignore[no-untyped-call]
                    of_all.close()  # type: ignore[no-untyped-call]
                    own.unlink()

    def collect(self) -> Iterable[Metric]:
        """The metrics of all processes, without double counting."""
        with self._moving:
            collector = MultiProcessCollector(None, path=str(self.folder))  # type: ignore[no-untyped-call]
            return list(collector.collect())  # type: ignore[no-untyped-call]


def registry_of(counted: Collector, processes: Processes, *more: Collector) -> CollectorRegistry:
    """All metrics of a server: what its processes have `counted`, what they use, and `more`."""
    told = CollectorRegistry()
    for collector in (Build(), ServerProcesses(processes), *more, counted):
        told.register(collector)
    return told


def exposing(registry: CollectorRegistry) -> ASGIApp:
    """An application that only responds to ``GET /metrics``."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] != PATH:
            told = Answer(b"Metrics are at /metrics.\n", 404, "text/plain")
        elif {**scope}.get("method") not in ("GET", "HEAD"):
            told = Answer(b"Metrics are read.\n", 405, "text/plain", {"Allow": "GET, HEAD"})
        else:
            text = await asyncio.to_thread(generate_latest, registry)  # too slow for the event loop
            told = Answer(text, media_type="text/plain; version=0.0.4", headers={"Cache-Control": "no-store"})
        await told(scope, receive, send)

    return answer
