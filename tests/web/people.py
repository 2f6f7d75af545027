"""Visitors of pages."""

from tests.api.guests import Guest, Json


async def account(guest: Guest) -> Json:
    """What a visit must know about a signed-in player."""
    me = (await guest.get("/v1/players/me")).json()
    return {"player": me["player"], "name": me["name"], "token": guest.token}
