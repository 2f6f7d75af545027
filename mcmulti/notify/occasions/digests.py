"""Fills the outbox with digests: for players who want one message a day instead of one for each turn."""

from uuid import uuid4

from mcmulti.events.ports.log import Log
from mcmulti.events.ports.notices import NO_GAME, DueDigest, Notification
from mcmulti.notify.occasions.webhooks import reached
from mcmulti.notify.preferences import digest_day, next_digest

AT_ONCE = 100
"""The most digests that are put into the outbox at a time."""


class DigestWatch:
    """Watches for digests that are due. Several servers may each have one: the outbox has each digest once."""

    def __init__(self, log: Log, *, email: bool = False) -> None:
        """`email`: whether the server sends emails."""
        self._log = log
        self._email = email

    async def step(self) -> None:
        """Check once. Raises `LogUnavailable`."""
        now = await self._log.now()
        for digest in await self._log.digests_due(now, AT_ONCE):
            await self._post(digest)
            at = next_digest(digest.preferences, now)
            if at is not None:  # after it was posted, so that no crash loses it
                await self._log.plan_digest(digest, at)

    async def _post(self, digest: DueDigest) -> None:
        """What it says is found out when it is sent."""
        mark = digest_day(digest.preferences, digest.at)
        notices = [
            Notification(
                *(NO_GAME, hook.webhook_id, digest.player_id, "digest", mark, uuid4(), digest.at),
                by_mail=hook.format == "email",
            )
            for hook in await reached(self._log, [digest.player_id], email=self._email)
            if "game.turn" in hook.topics
        ]
        if notices:
            await self._log.post_notices(NO_GAME, notices)
