"""Runs of the machine: this many examples, always the same or by a seed."""

from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, closing, contextmanager

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import get_state_machine_test

from mcmulti.events.embedded.server import EmbeddedPostgres
from tests.conftest import new_database
from tests.slow.model.machine import KilledServerMachine, ServerMachine, leaning
from tests.slow.model.servers import HereServers, Processes, Servers

Started = Callable[[str], HereServers]


def compared(
    database: str,
    examples: int,
    steps: int,
    seeded: int | None = None,
    start: Started = HereServers,
    rules: Collection[str] = (),
) -> None:
    """Compare servers in this process with the model. Raises `Differs`. `rules`: run more often than others.

    Without a seed it is the same every time, and a difference is reported as found, without shrinking.
    """
    with closing(start(database)) as servers:

        @contextmanager
        def begun() -> Iterator[Servers]:
            servers.begin()
            yield servers

        _run(leaning(rules), begun, examples, steps, seeded)


def compared_processes(postgres: EmbeddedPostgres, template: str, examples: int, steps: int) -> None:
    """The same with processes, which are killed. Each example has a copy of the template for its database."""

    @contextmanager
    def begun() -> Iterator[Servers]:
        with new_database(postgres, template) as name, closing(Processes(postgres.url(database=name))) as servers:
            yield servers

    _run(KilledServerMachine, begun, examples, steps, None)


def _run(
    machine: type[ServerMachine],
    begun: Callable[[], AbstractContextManager[Servers]],
    examples: int,
    steps: int,
    seeded: int | None,
) -> None:
    phases = (Phase.generate,) if seeded is None else (Phase.generate, Phase.shrink)
    test = get_state_machine_test(
        lambda: machine(begun),  # type: ignore[arg-type]  # it is called, whatever it is
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            phases=phases,
            derandomize=seeded is None,
            database=None,
            deadline=None,
            suppress_health_check=[*HealthCheck],
            report_multiple_bugs=False,
        ),
    )
    (test if seeded is None else seed(seeded)(test))()
