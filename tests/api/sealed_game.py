"""A game by post whose open round has a sheet that others must not read, and the readers who try."""

import re

from msgspec import UNSET
from structlog.testing import capture_logs

from mcmulti.events.log.item import EventItem
from tests.api.guests import Json, Table

PRICE = 977
SECRET = {
    "orders": [
        {
            "type": "IfOrder",
            "condition": {"type": "CashIs", "at_least": PRICE},
            "then": [{"type": "BuyAssetOrder", "kind": "rig", "plot": {"row": 6, "column": 5}}],
        }
    ],
    "trades": [{"type": "SellBarrelsOrder", "market": "foreign", "good": "crude", "quantity": 131, "not_below": PRICE}],
}
"""Ada's sheet, with a price and a structure that nobody else uses. With her starting assets it leads to nothing."""
OTHER = {"pumps": {"type": "HoldPumps"}}
"""The sheet of all others."""
SEATED = ("Ada", "Ben", "Cleo", "Dan")
READERS = (*SEATED, "Eve", "nobody")
"""Eve is registered and does not play; nobody has no token."""

_TRACES = re.compile(rb"(?<![0-9A-Za-z.])977(?![0-9A-LN-Za-z])|IfOrder|CashIs|SellBarrelsOrder")
"""Traces of the sheet. 977 must not match inside a hash, or the fraction of a second."""


def submit(sheet: Json, round: int = 1) -> Json:
    """The command that sends a sheet."""
    return {"type": "SubmitOrders", "round": round, "sheet": sheet}


class SealedGame:
    """Ada sent her sheet twice, Ben and Cleo theirs; Cleo holds the round, and Dan's sheet is missing.

    `sheets`: the numbers of Ada's events. `salts`: the salts in them. `logged`: the operator's log meanwhile.
    """

    def __init__(self, table: Table, game: str) -> None:
        self.table = table
        self.game = game
        self.address = f"/v1/games/{game}"
        self.logged = ""
        self.salts: list[str] = []
        self.sheets: list[int] = []

    @classmethod
    async def open(cls, table: Table) -> "SealedGame":
        """The game, with Ada's sheets in."""
        self = cls(table, await table.start(4, ruleset="postal"))
        await table.guest("Eve")
        ada, ben, cleo, _ = table.guests[:4]
        with capture_logs() as logged:
            sent = (await ada.send(self.game, submit(SECRET), Idempotency_Key="sheet")).json()["events"]
            sent += (await ada.send(self.game, submit(SECRET))).json()["events"]
            sent += (await ben.send(self.game, submit(OTHER), Idempotency_Key="sheet")).json()["events"]
            await cleo.send(self.game, submit(OTHER), {"type": "HoldRound", "round": 1, "hold": True})
        self.logged = repr(logged)
        assert [event["type"] for event in sent] == ["OrdersSubmitted"] * 3
        self.salts = [event["data"]["salt"] for event in sent[:2]]
        self.sheets = [event["seq"] for event in sent[:2]]
        assert len({*self.salts, sent[2]["data"]["salt"]}) == 3
        return self

    async def seq(self) -> int:
        """The number of the last event."""
        found: int = (await self.table.client.get(self.address)).json()["seq"]
        return found

    async def referee(self) -> None:
        """Cleo releases the round, and Dan's sheet completes it."""
        for guest, command in zip(
            self.table.guests[2:4], ({"type": "HoldRound", "round": 1, "hold": False}, submit(OTHER)), strict=True
        ):
            assert (await guest.send(self.game, command)).status_code == 200

    def tells(self, content: bytes | str) -> bool:
        """Whether the content reveals anything that Ada sealed."""
        content = content.encode() if isinstance(content, str) else content
        return bool(_TRACES.search(content)) or any(salt.encode() in content for salt in self.salts)


async def stand_still(table: Table, game: str) -> None:
    """Let nobody do anything anymore, until the game ends."""
    while (view := (await table.client.get(f"/v1/games/{game}")).json()["view"])["status"] != "finished":
        for guest in table.guests[:4]:
            assert (await guest.send(game, submit({}, view["round"]))).status_code == 200


def is_sealed(item: EventItem) -> bool:
    """Whether an event came without its content."""
    return item.data is UNSET and item.command is UNSET and isinstance(item.payload, str)
