"""The operator's settings for messages."""

from msgspec import Struct


class Notify(Struct, frozen=True):
    """`site`: the public address of the pages, such as ``https://play.example.org``, which messages link to.

    `private`: whether webhooks may be on private networks, and without TLS.
    """

    site: str
    private: bool = False
