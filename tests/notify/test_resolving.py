"""Names whose name servers do not respond: only those who asked for them wait."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from mcmulti.notify import outbound
from mcmulti.notify.outbound import MOST, Outbound, Unreachable, resolved


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Resolves no name until the event is set."""
    answers, threads = threading.Event(), set[threading.Thread]()

    def never(*_: Any, **__: Any) -> list[Any]:
        threads.add(threading.current_thread())
        answers.wait()
        raise socket.gaierror("no answer")

    monkeypatch.setattr(outbound, "getaddrinfo", never)
    yield answers
    answers.set()
    for thread in threads:
        thread.join()


async def test_a_name_means_the_addresses_that_the_system_says() -> None:
    assert await resolved("127.0.0.1", 443) == ["127.0.0.1"]
    assert await resolved("::1", 443) == ["::1"]
    with pytest.raises(socket.gaierror):
        await resolved("no-such-host.invalid", 443)


async def test_name_servers_that_do_not_answer_hold_up_no_other_work(silent: threading.Event) -> None:
    """The threads that are left have other work: pages, forecasts, compression."""
    asked = [asyncio.create_task(resolved(f"{number}.example", 443)) for number in range(MOST)]
    await asyncio.sleep(0)
    assert await asyncio.to_thread(lambda: "done") == "done"
    silent.set()
    answered = await asyncio.gather(*asked, return_exceptions=True)
    assert {type(answer) for answer in answered} == {socket.gaierror}


async def test_so_many_names_are_resolved_at_a_time_even_if_nobody_waits_for_them_any_more(
    silent: threading.Event,
) -> None:
    async with Outbound(timeout=0.05) as outbound:
        posts = [outbound.post(f"https://{number}.example/", b"{}", {}) for number in range(MOST)]
        for given_up in await asyncio.gather(*posts, return_exceptions=True):
            assert isinstance(given_up, Unreachable)
        with pytest.raises(Unreachable, match="too many names"):
            await outbound.post("https://another.example/", b"{}", {})
        silent.set()
        async with asyncio.timeout(60):
            while True:
                try:
                    await resolved("another.example", 443)
                except socket.gaierror:
                    break
                except OSError:
                    await asyncio.sleep(0.01)


def test_the_end_waits_for_no_name(silent: threading.Event) -> None:
    async def given_up() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await resolved("hook.example", 443)

    asyncio.run(given_up())
    assert not silent.is_set()
