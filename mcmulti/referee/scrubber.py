"""The scrubber: checks game after game in the background, and blocks commands in damaged ones.

A game in play is folded from its latest snapshot. Nothing else reads the events before that, so the scrubber must
detect changes in them. It uses a small share of a processor, however many games there are.
"""

import asyncio
import time
from datetime import timedelta
from hashlib import sha256
from uuid import UUID

import structlog

from mcmulti.domain.rulesets import BY_VERSION
from mcmulti.events.log.codec import UnknownRuleset, fold, opened_with
from mcmulti.events.log.digests import SIZE, digest
from mcmulti.events.log.envelope import Head, broken_link
from mcmulti.events.ports.errors import DamagedGame, UnknownGame
from mcmulti.events.ports.game_index import Bookmark, Game
from mcmulti.events.ports.integrity import Check
from mcmulti.events.ports.log import Log
from mcmulti.events.store.history import holds
from mcmulti.metrics import CHECKED_EVENTS, QUARANTINED_GAMES
from mcmulti.referee.referee import Referee

PERIOD = 10.0
"""Seconds between two searches for what other servers found."""
AGAIN = timedelta(days=1)
"""How long a sound game that has not gone on is not checked again."""
SHARE = 0.02
"""The share of time that checks may take."""
PAGE = 100
"""Games listed at a time."""
FAULTS = 1000
"""The most damaged games known at a time."""

_log = structlog.get_logger(__name__)


class Scrubber:
    """Checks the games of a log. Several servers may each have one; they share their findings."""

    def __init__(self, referee: Referee, log: Log, share: float = SHARE) -> None:
        self._referee = referee
        self._log = log
        self._share_of_time = share
        self._looked = -PERIOD
        self._before: Bookmark | None = None

    async def step(self) -> None:
        """Read what others found, check damaged games again, and check a page of games.

        Raises `LogUnavailable`.
        """
        await self._share()
        for game_id in tuple(self._referee.quarantined):
            await self.check(game_id)
        page, now = await self._log.games(PAGE, self._before), await self._log.now()
        self._before = page[-1].mark() if len(page) == PAGE else None
        for game in page:
            known = await self._log.checked(game.game_id)
            if known is None or known.head != game.head or known.at < now - AGAIN or known != await self._signed(known):
                await self.check(game.game_id)
            if time.monotonic() - self._looked >= PERIOD:
                await self._share()

    async def check(self, game_id: UUID) -> str | None:
        """Check a game from its first event on, and store the result. Returns the fault, None if there is none."""
        try:
            game = await self._log.game(game_id)
        except UnknownGame:
            return None
        if await self._is_of_a_later_build(game):
            return None
        fault, head = None, game.head
        try:
            head = await self.examined(game_id, head)
        except DamagedGame as damaged:
            known = await self._log.checked(game_id)
            fault, head = damaged.fault, head if known is None else known.head
        except UnknownGame:
            return None
        if fault is not None and game_id not in self._referee.quarantined:
            _log.error("a game is damaged and takes no commands", game_id=str(game_id), fault=fault)
        elif fault is None and game_id in self._referee.quarantined:
            _log.warning("a game is intact again", game_id=str(game_id))
        check = Check(game_id, head, await self._log.now(), fault, bytes(SIZE))
        await self._log.keep_check(await self._signed(check))
        if fault is None and not await holds(self._log, game_id, head):
            # The log went back meanwhile, for example to a backup; a check with a false digest is not trusted.
            await self._log.keep_check(check)
        self._quarantine({**self._referee.quarantined, game_id: fault})
        return fault

    async def _is_of_a_later_build(self, game: Game) -> bool:
        """Whether a game has a version of a rule set that only a later build knows, whose servers check it."""
        if (game.ruleset, game.version) in BY_VERSION:
            return False
        first = await self._log.read(game.game_id, 0, 1)
        if not first or broken_link(first) is not None:
            return False
        try:
            opened_with(first[0])
        except UnknownRuleset:
            return True
        return False

    async def examined(self, game_id: UUID, head: Head) -> Head:
        """The end of a game's log, or its end until it went on, after checking all of it; it had this head.

        Raises `DamagedGame` and `UnknownGame`.
        """
        known = await self._log.checked(game_id)
        if known is not None and known == await self._signed(known):
            try:
                await self._reaches(game_id, known.head, head)
            except DamagedGame:
                if await self._log.checked(game_id) == known:  # otherwise the log went back in between
                    raise
        head = await self._referee.history.examine(game_id, head, self._rest)
        first = await self._log.read(game_id, 0, 1)
        if not first:  # it was deleted, or the log went back, since it was examined
            raise UnknownGame(f"there is no game {game_id}")
        try:
            seed = await self._log.secret(game_id)
        except UnknownGame:
            raise DamagedGame(game_id, "its seed is missing") from None
        if sha256(seed).hexdigest() != fold(opened_with(first[0]), first).commitment:
            raise DamagedGame(game_id, "its seed does not match the commitment in its first event")
        return head

    async def _reaches(self, game_id: UUID, checked: Head, head: Head) -> None:
        """Whether a log still has the event up to which it was checked. Raises `DamagedGame`."""
        if head.seq < checked.seq:
            raise DamagedGame(game_id, f"it ends at event {head.seq}, but was checked up to event {checked.seq}")
        if not await holds(self._log, game_id, checked):
            raise DamagedGame(game_id, f"event {checked.seq} changed since it was checked")

    async def _rest(self, events: int, seconds: float) -> None:
        """Pause for other work, after this many events were checked in this many seconds."""
        CHECKED_EVENTS.inc(events)
        await asyncio.sleep(seconds * (1 / self._share_of_time - 1))

    async def _signed(self, check: Check) -> Check:
        parts = (b"%d" % check.head.seq, check.head.hash, (check.fault or "").encode())
        key = await self._referee.history.digest_key()
        return check._replace(digest=digest(key, "checked", check.game_id, *parts))

    async def _share(self) -> None:
        """Take over the findings of other servers."""
        self._looked = time.monotonic()
        self._quarantine({check.game_id: check.fault for check in await self._log.faults(FAULTS)})

    def _quarantine(self, faults: dict[UUID, str | None]) -> None:
        found = {game_id: fault for game_id, fault in faults.items() if fault is not None}
        self._referee.quarantine(found)
        QUARANTINED_GAMES.set(len(found))
