"""A client that creates further tokens, sends them, and revokes them, whatever happens to the servers."""

import asyncio

from tests.slow.chaos.asker import PAUSE, Asker, Refused, moment
from tests.slow.chaos.history import Denied, Spare, Use

TOKENS = "/v1/players/me/tokens"
KEPT = 0.3
"""The share of its tokens that it does not revoke."""
MANY = 6
"""Tokens of a player. Then it is another player's turn."""


class Lender(Asker):
    """All token requests of one player after another, at any of several servers, until told to stop."""

    async def lend(self, stop: asyncio.Event) -> None:
        """Create tokens, send existing and revoked ones, and revoke some."""
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
        """Send a token. If there is a response, record whether it was accepted."""
        answer, span = await self.answer("GET", "/v1/players/me", spare.token)
        if answer is not None and answer.status_code in (200, 401):
            spare.uses.append(Use(span, answer.is_success))

    async def _revoke(self, account: str, spare: Spare) -> None:
        """Retry until it is revoked: a client that did so without seeing the response learns that there is none."""
        spare.revoking = moment()
        while spare.revoked is None:
            answer, span = await self.answer("DELETE", f"{TOKENS}/{spare.id}", account)
            if answer is not None and (answer.is_success or answer.status_code == 404):
                spare.revoked = span
            elif answer is not None and answer.is_client_error:
                raise Refused(answer.json()["code"], span)
            else:
                await asyncio.sleep(PAUSE)
