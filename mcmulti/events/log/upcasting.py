"""Read events in older formats as current ones. The stored bytes, and their hash, never change."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from mcmulti.domain.core.ruleset import Upcaster


class _Tagged(Struct):
    type: str


_type = msgspec.json.Decoder(_Tagged).decode
_members = msgspec.json.Decoder(dict[str, Any]).decode
_encode = msgspec.json.Encoder().encode


def upcast(upcasters: Mapping[str, Upcaster], data: bytes) -> bytes:
    """The content of an event in the current format; the same bytes if it already is. Raises ValueError for other
    bytes.
    """
    type_ = _type(data).type
    upcaster = upcasters.get(type_)
    if upcaster is None:
        return data
    was = _members(data)
    try:
        is_ = {**upcaster(dict(was)), "type": type_}
    except Exception as error:  # a malicious log may cause any error
        raise ValueError(f"this {type_} has no shape that was ever written") from error
    return data if is_ == was else _encode(is_)
