"""The players of an arena's strategies at a server: registered once, and stored with the games.

Tokens are in a hidden file of the folder that only its owner can read. The ids of the players are in the plan, so that
anybody can identify them.
"""

import asyncio
from pathlib import Path
from uuid import UUID, uuid4

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from mcmulti.arena.play import Contest
from mcmulti.arena.remote import PATIENCE, NotPlayed
from mcmulti.arena.schedule import ArenaPlan, ArenaServer, most_copies
from mcmulti.arena.store import BadFolder, is_empty
from mcmulti.client.addresses import without_password
from mcmulti.client.client import Client, HttpProblem, ServerAway
from mcmulti.client.private_file import NotReadable, read_private, write_private

PLAYERS = ".players.json"


class RosterPlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """A player of an arena, and its token."""

    player: UUID
    token: str


class Roster(Struct, frozen=True, forbid_unknown_fields=True):
    """Who plays at which server: each entrant has as many players as seats in a game."""

    server: str
    entrants: tuple[str, ...]
    players: tuple[tuple[RosterPlayer, ...], ...]


def entered(contest: Contest) -> Contest:
    """A contest at a server with its players: those stored in its folder, or else new ones, which are stored there.

    Raises `BadFolder` and `NotPlayed`.
    """
    assert contest.server is not None
    address, folder = without_password(contest.server.rstrip("/")), contest.folder
    known = None if folder is None else _stored_roster(folder)
    if known is None:
        if folder is not None and not is_empty(folder):
            raise BadFolder(f"{folder} is not an arena folder, or has games of another arena.")
        known = Roster(address, contest.plan.entrants, _registered(contest.server, contest.plan))
        if folder is not None:
            write_private(folder / PLAYERS, msgspec.json.encode(known) + b"\n")
    if (known.server, known.entrants) != (address, contest.plan.entrants):
        raise BadFolder(f"{folder} has games of another arena: other strategies or another server.")
    ids = tuple(tuple(each.player for each in players) for players in known.players)
    tokens = {
        (entrant, copy): each.token
        for entrant, players in enumerate(known.players)
        for copy, each in enumerate(players)
    }
    plan = replace(contest.plan, server=ArenaServer(address, ids))
    return contest._replace(plan=plan, tokens=tokens)


def _stored_roster(folder: Path) -> Roster | None:
    """The players stored in a folder; None if there are none."""
    try:
        content = read_private(folder / PLAYERS)
        return None if content is None else msgspec.json.decode(content, type=Roster)
    except NotReadable as error:
        raise BadFolder(str(error)) from None
    except (ValueError, RecursionError) as error:
        raise BadFolder(f"{folder / PLAYERS} cannot be read: {error}.") from None


def _registered(server: str, plan: ArenaPlan) -> tuple[tuple[RosterPlayer, ...], ...]:
    """New players for all entrants, in order."""

    async def one(entrant: str) -> RosterPlayer:
        async with Client(server, patience=PATIENCE) as client:
            told = await client.register(f"{entrant[:30].rstrip()} {uuid4().hex[:8]}", "bot")
            return RosterPlayer(UUID(told["player"]), told["token"])

    async def everybody() -> tuple[tuple[RosterPlayer, ...], ...]:
        copies = range(most_copies(plan))
        return tuple([tuple([await one(entrant) for _ in copies]) for entrant in plan.entrants])

    try:
        return asyncio.run(everybody())
    except (HttpProblem, ServerAway) as error:
        raise NotPlayed(str(error)) from None
