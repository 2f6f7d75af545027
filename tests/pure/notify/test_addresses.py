"""The URLs and addresses that messages may go to."""

import pytest

from mcmulti.notify.outbound import RefusedUrl, checked_url, is_public


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.255.255.254",
        "0.0.0.0",  # the machine itself
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "100.64.0.1",  # in a provider's network
        "169.254.169.254",  # where clouds give machines their secrets
        "192.0.0.8",
        "198.18.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "fe80::1",
        "fe80::1%eth0",
        "fc00::1",
        "fd12:3456::1",
        "fec0::1",
        "ff02::1",
        "2001:db8::1",
        "2001::1",  # Teredo
        "2002:7f00:1::",  # 6to4 of 127.0.0.1
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "64:ff9b::7f00:1",  # NAT64 of 127.0.0.1
        "64:ff9b::a9fe:a9fe",  # NAT64 of 169.254.169.254
        "64:ff9b:1::1",
        "nonsense",
    ],
)
def test_addresses_that_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "8.8.8.8", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"])
def test_addresses_that_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://example.org/", "begin with https"),
        ("ftp://example.org/", "begin with https"),
        ("file:///etc/passwd", "begin with https"),
        ("//example.org/", "begin with https"),
        ("", "begin with https"),
        ("https:///hook", "must have a host"),
        ("https://user:word@example.org/", "user name"),
        ("https://example.org/#here", "after #"),
        ("https://example.org:22/", "port"),
        ("https://example.org:99999/", "port"),
        ("https://example.org/a b", "no spaces"),
        ("https://example.org/\r\nX: y", "."),
        ("https://exämple.org/", "ASCII"),
        ("https://[::1/", "not a URL"),
        (f"https://example.org/{'x' * 2000}", "2000 characters"),
    ],
)
def test_urls_that_are_refused(url: str, why: str) -> None:
    with pytest.raises(RefusedUrl, match=why):
        checked_url(url, private=False)


@pytest.mark.parametrize(
    "url",
    ["https://example.org", "https://example.org:8443/hook?key=1", "https://xn--exmple-cua.org/", "https://1.1.1.1/"],
)
def test_urls_that_are_taken(url: str) -> None:
    checked_url(url, private=False)


def test_where_private_networks_are_allowed_so_are_http_and_any_port() -> None:
    checked_url("http://example.org:80/", private=True)
    with pytest.raises(RefusedUrl):
        checked_url("ftp://example.org/", private=True)
