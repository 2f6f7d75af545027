"""Requests to addresses that players chose: what they can reach, and what a receiver can do to the sender."""

import asyncio
import ssl
from collections.abc import Callable

import pytest

from mcmulti.notify.outbound import HttpReply, Outbound, RefusedUrl, Resolve, Unreachable
from tests.notify.receiver import Answering, close, endless_body, endless_head, hang, nonsense, receiving, status

PUBLIC = "93.184.215.14"


def names(*answers: list[str]) -> tuple[Resolve, list[tuple[str, int]]]:
    """A resolver that gives these answers in turn, and a list of its queries."""
    asked: list[tuple[str, int]] = []

    async def resolve(host: str, port: int) -> list[str]:
        asked.append((host, port))
        return answers[len(asked) - 1]

    return resolve, asked


async def test_a_body_arrives_with_its_headers() -> None:
    async with receiving() as receiver, Outbound(private=True) as outbound:
        reply = await outbound.post(f"{receiver.url}?key=1", b"{}", {"Content-Type": "application/json"})
        assert reply == HttpReply(204, None)
        [received] = receiver.received
        assert (received.line, received.body) == ("POST /hook?key=1 HTTP/1.1", b"{}")
        assert received.headers["content-type"] == "application/json"
        assert received.headers["host"] == f"127.0.0.1:{receiver.port}"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]"])
async def test_however_this_machine_is_called_nothing_is_sent_to_it(host: str) -> None:
    async with receiving() as receiver, Outbound() as outbound:
        with pytest.raises(Unreachable, match=r"not public|no address|gaierror"):
            await outbound.post(f"https://{host}:{receiver.port}/", b"{}", {})
        assert receiver.received == []


async def test_one_address_that_is_not_public_is_enough_to_refuse() -> None:
    resolve, _ = names([PUBLIC, "10.0.0.1"])
    async with Outbound(resolve=resolve) as outbound:
        with pytest.raises(Unreachable, match="not public"):
            await outbound.post("https://hook.example/", b"{}", {})


async def test_a_name_that_means_another_address_later_is_checked_anew_each_time() -> None:
    """The name is resolved only once: the connection goes to the address that was checked."""
    resolve, asked = names(["127.0.0.1"], ["127.0.0.1"])
    async with receiving() as receiver, Outbound(private=True, resolve=resolve) as outbound:
        await outbound.post(f"http://hook.example:{receiver.port}/", b"{}", {})
        assert asked == [("hook.example", receiver.port)]
        assert receiver.received[0].headers["host"] == f"hook.example:{receiver.port}"
        outbound.private = False
        with pytest.raises(Unreachable, match="not public"):
            await outbound.post(f"https://hook.example:{receiver.port}/", b"{}", {})
        assert len(asked) == 2
        assert len(receiver.received) == 1


async def test_the_next_address_is_tried_where_nobody_listens() -> None:
    resolve, _ = names(["127.0.0.2", "127.0.0.1"])
    async with receiving() as receiver, Outbound(private=True, resolve=resolve) as outbound:
        assert (await outbound.post(f"http://hook.example:{receiver.port}/", b"{}", {})).status == 204


async def test_redirects_are_not_followed() -> None:
    async with receiving() as receiver, Outbound(private=True) as outbound:
        receiver.answers = [status("302 Found", f"Location: {receiver.url}/inside")]
        assert (await outbound.post(receiver.url, b"{}", {})).status == 302
        assert len(receiver.received) == 1


async def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with receiving() as receiver, Outbound(private=True) as outbound:
        assert (await outbound.post(receiver.url, b"{}", {})).status == 204


async def test_the_body_of_a_response_is_not_read() -> None:
    async with receiving() as receiver, Outbound(private=True) as outbound:
        receiver.otherwise = endless_body
        assert (await outbound.post(receiver.url, b"{}", {})).status == 200


@pytest.mark.parametrize("answering", [close, nonsense, endless_head])
async def test_what_is_not_http_is_no_response(answering: Answering) -> None:
    async with receiving() as receiver, Outbound(private=True) as outbound:
        receiver.otherwise = answering
        with pytest.raises(Unreachable):
            await outbound.post(receiver.url, b"{}", {})


async def test_a_receiver_that_does_not_answer_is_given_up() -> None:
    async with receiving() as receiver, Outbound(private=True, timeout=0.2) as outbound:
        receiver.otherwise = hang
        with pytest.raises(Unreachable):
            await outbound.post(receiver.url, b"{}", {})


async def test_a_name_that_does_not_resolve_in_time_is_given_up() -> None:
    async def resolve(host: str, port: int) -> list[str]:
        await asyncio.Event().wait()
        return []

    async with Outbound(resolve=resolve, timeout=0.2) as outbound:
        with pytest.raises(Unreachable, match="no response within"):
            await outbound.post("https://hook.example/", b"{}", {})


async def test_a_url_is_checked_again_when_it_is_used() -> None:
    """The operator may have allowed more when it was added."""
    async with receiving() as receiver, Outbound() as outbound:
        with pytest.raises(RefusedUrl):
            await outbound.post(receiver.url, b"{}", {})


@pytest.mark.parametrize(("header", "seconds"), [("120", 120), ("Wed, 21 Oct 2026 07:28:00 GMT", None), ("-1", None)])
async def test_when_to_try_again_is_told_in_seconds(header: str, seconds: int | None) -> None:
    async with receiving() as receiver, Outbound(private=True) as outbound:
        receiver.otherwise = status("429 Too Many Requests", f"Retry-After: {header}")
        assert await outbound.post(receiver.url, b"{}", {}) == HttpReply(429, seconds)


async def test_the_certificate_is_that_of_the_name_though_the_address_is_pinned(
    certified: Callable[[str], tuple[ssl.SSLContext, ssl.SSLContext]],
) -> None:
    server, client = certified("hook.example")
    resolve, _ = names(["127.0.0.1"], ["127.0.0.1"])
    async with receiving(server) as receiver, Outbound(private=True, resolve=resolve, tls=client) as outbound:
        assert (await outbound.post(f"https://hook.example:{receiver.port}/", b"{}", {})).status == 204
        with pytest.raises(Unreachable, match="CERTIFICATE_VERIFY_FAILED"):
            await outbound.post(f"https://other.example:{receiver.port}/", b"{}", {})
        assert receiver.names == ["hook.example", "other.example"]
        assert len(receiver.received) == 1
