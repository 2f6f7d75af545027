"""Connections that are cut, silent, or too many: to the database, and of clients."""

import asyncio
import random
from contextlib import suppress

import psycopg

from tests.slow.chaos.stage import DESCRIPTORS, Stage
from tests.slow.chaos.strangers import Strangers


async def end_connections(stage: Stage, dice: random.Random) -> None:
    def end() -> None:
        with psycopg.connect(stage.url, autocommit=True) as owner:
            owner.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")

    with suppress(psycopg.Error):
        await asyncio.to_thread(end)


async def deafen(stage: Stage, dice: random.Random) -> None:
    """Like a firewall that forgot all current connections."""
    stage.way.forget()


async def black_hole(stage: Stage, dice: random.Random) -> None:
    """New connections get no response either."""
    stage.way.closed = True
    stage.way.forget()
    try:
        await asyncio.sleep(dice.uniform(1.0, 9.0))
    finally:
        stage.way.closed = False


async def hang_up(stage: Stage, dice: random.Random) -> None:
    """Clients break off requests in progress."""
    stage.manners.hang_up = 0.5
    try:
        await asyncio.sleep(dice.uniform(2.0, 5.0))
    finally:
        stage.manners.hang_up = 0.0


async def send_twice(stage: Stage, dice: random.Random) -> None:
    """Clients send every command twice at once, under one key, and sometimes hang up."""
    stage.manners.twice, stage.manners.hang_up = 1.0, 0.1
    try:
        await asyncio.sleep(dice.uniform(2.0, 5.0))
    finally:
        stage.manners.twice = stage.manners.hang_up = 0.0


async def take_all_descriptors(stage: Stage, dice: random.Random) -> None:
    """More connections than the guest has descriptors: it closes the surplus, and logs it."""
    async with Strangers(stage.guest.address) as strangers:
        await strangers.crowd(DESCRIPTORS + 100)
        await asyncio.sleep(dice.uniform(0.5, 2.0))
    if "descriptors run out" not in stage.guest.log.read_text():  # logged once a minute at most
        stage.complain("the guest did not say that its descriptors ran out")


FAULTS = {
    "connections of the database ended": end_connections,
    "connections to the database gone deaf": deafen,
    "the database behind a black hole": black_hole,
    "clients hang up while they wait": hang_up,
    "every command sent twice at once": send_twice,
    "descriptors run out": take_all_descriptors,
}
