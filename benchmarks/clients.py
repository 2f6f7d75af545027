"""Clients in a process of their own, beside a server that runs in this one."""

import asyncio
from collections.abc import Iterable

import msgspec

from benchmarks.figures import Figure, Taken
from benchmarks.processes import module, output

_Told = list[tuple[str, str, float]]


async def told_by(name: str, *arguments: str) -> Taken:
    """The measurements that a module reports. Raises `ProcessError` if it fails or takes too long."""
    printed = await asyncio.to_thread(output, module(name, *arguments))
    return {Figure(what, unit): value for what, unit, value in msgspec.json.decode(printed, type=_Told)}


def tell(found: Iterable[tuple[Figure, float]]) -> None:
    """Print the measurements for `told_by`."""
    print(msgspec.json.encode([(*figure, value) for figure, value in found]).decode())
