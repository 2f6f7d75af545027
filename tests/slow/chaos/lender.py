"""A client that makes further tokens, sends them, and revokes them, whatever happens to the servers."""

import asyncio

from tests.slow.chaos.asker import PAUSE, Asker, Refused, moment
from tests.slow.chaos.history import Denied, Spare, Use

TOKENS = "/v1/players/me/tokens"
KEPT = 0.3
"""How many of its tokens it does not revoke."""
MANY = 6
"""Tokens of a player; then it is another's turn."""


class Lender(Asker):
    """All that one player after the other does with tokens, at any of several servers, until told to stop."""

    async def lend(self, stop: asyncio.Event) -> None:
        """Make tokens, send those that there are and that there were, and revoke some."""
        async with self.http:
            while not stop.is_set():
                since = moment()
                try:
                    account = await self.registered()
                    spares: list[Spare] = []
                    while not stop.is_set() and len(spares) < MANY:
                        spares.append(await self._made(account, since))
                        for spare in self.dice.sample(spares, min(2, len(spares))):
                            await self._sent(spare)
                        if self.dice.random() > KEPT:
                            await self._revoke(account, spares[-1])
                        await asyncio.sleep(PAUSE)
                except Refused as refused:
                    self.history.denied.append(Denied("of a player with tokens", refused.code, since, refused.span))

    async def _made(self, account: str, since: float) -> Spare:
        made = await self.made(TOKENS, {"name": "spare", "scopes": ["read", "play"]}, account)
        spare = Spare(made["token"], made["about"]["id"], since, moment())
        self.history.spares.append(spare)
        return spare

    async def _sent(self, spare: Spare) -> None:
        """Send a token, of which it is noted down whether it was taken, if that was answered."""
        answer, span = await self.answer("GET", "/v1/players/me", spare.token)
        if answer is not None and answer.status_code in (200, 401):
            spare.uses.append(Use(span, answer.is_success))

    async def _revoke(self, account: str, spare: Spare) -> None:
        """Until it is revoked: who revoked it without being told so is told that there is none."""
        spare.revoking = moment()
        while spare.revoked is None:
            answer, span = await self.answer("DELETE", f"{TOKENS}/{spare.id}", account)
            if answer is not None and (answer.is_success or answer.status_code == 404):
                spare.revoked = span
            elif answer is not None and answer.is_client_error:
                raise Refused(answer.json()["code"], span)
            else:
                await asyncio.sleep(PAUSE)
