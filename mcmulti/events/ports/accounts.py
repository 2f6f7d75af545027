"""Accounts: who is registered, what everybody is called, and the tokens that prove who somebody is."""

from collections.abc import AsyncGenerator, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Literal, NamedTuple, Protocol
from uuid import UUID, uuid4

from mcmulti.events.ports.errors import LastToken

Kind = Literal["human", "bot"]
"""What a player says it is."""


class Player(NamedTuple):
    """Somebody who may sit down at games; one with an empty `name` was erased.

    `origin`: the same for all players who registered at one address, None if that is not known. Only `players` has it.
    """

    player_id: UUID
    name: str
    kind: Kind = "human"
    origin: bytes | None = None


Scope = Literal["read", "play", "account"]
"""What a token allows: to read as its player, to play, to make and revoke tokens."""


class Token(NamedTuple):
    """What a player's token allows. It is valid until `expires_at`, or forever; `used_at` is true to the hour.

    `parent_id`: the token that made it, with which it is revoked; None for one that no token made.
    """

    token_id: UUID
    name: str
    scopes: tuple[Scope, ...]
    created_at: datetime
    expires_at: datetime | None = None
    used_at: datetime | None = None
    parent_id: UUID | None = None

    def covers(self, other: "Token") -> bool:
        """Whether it allows all that another one allows, for as long."""
        lasts = self.expires_at is None or (other.expires_at is not None and other.expires_at <= self.expires_at)
        return lasts and set(other.scopes) <= set(self.scopes)


Action = Literal["erase", "replace_owner_token"]
"""What takes two steps, because nothing brings it back."""


class Pending(NamedTuple):
    """What a player announced: it can be done from `due` on, and with this token only."""

    action: Action
    token_id: UUID
    due: datetime


class Holder(NamedTuple):
    """Who holds a token, and what the player announced."""

    player: Player
    token: Token
    pending: Pending | None = None


class PlayerStore(Protocol):
    """Who is registered, and what everybody is called. Any method may raise `LogUnavailable`."""

    async def add_player(self, player: Player, token: Token, token_hash: bytes) -> None:
        """Register a player with a first token, kept under its hash; raises `NameTaken`."""

    async def player(self, player_id: UUID) -> Player | None:
        """The player of this id, erased or not."""

    async def players(self, player_ids: Sequence[UUID]) -> dict[UUID, Player]:
        """These players, in one query; one that is not registered is missing."""

    async def players_called(self, names: Sequence[str]) -> dict[str, Player]:
        """The players of these names, whatever their case, in one query; one that nobody bears is missing."""

    async def players_found(self, text: str, limit: int) -> list[UUID]:
        """Players of whose names each word of a text begins a word, visitors too, those of the shortest names first.

        Words are compared as names are: look-alikes are the same. A text without a word finds nobody.
        """

    async def names(self, player_ids: Sequence[UUID]) -> dict[UUID, str]:
        """What these are called, in one query; who has no name, or is not known here, is missing.

        Of those that never registered here it is what `keep_names` said last.
        """

    async def rename(self, player_id: UUID, name: str) -> None:
        """Give a player another name; the old one is free. Raises `NameTaken` and `UnknownPlayer`."""

    async def erase(self, player_id: UUID, announced: Pending | None = None) -> list[bytes]:
        """Forget a player's name, which is free then, those of companions, and what it played, and revoke all tokens;
        the hashes of these.

        The id stays known, and nobody can be registered under it. Nothing happens to whom was erased before. Raises
        `Conflict` if something was `announced` and is not pending any more.
        """

    async def keep_names(self, names: Mapping[UUID, str], companion_of: UUID | None = None) -> None:
        """What those are called who never registered here: who sat at games that were played elsewhere, or plays as the
        companion of a player, with whom they are erased.
        """


class TokenStore(Protocol):
    """What proves who somebody is, kept under hashes. Any method may raise `LogUnavailable`."""

    async def add_token(self, player_id: UUID, token: Token, token_hash: bytes) -> None:
        """Give a player a further token; raises `Conflict` if there is one of this hash already, and `UnknownToken` if
        the one that made it was revoked."""

    async def holder(self, token_hash: bytes) -> Holder | None:
        """Who holds the token with this hash, be it expired or not; None if nobody does, or if it was revoked."""

    async def tokens(self, player_id: UUID) -> list[Token]:
        """The tokens of a player that were not revoked, in the order in which they were made."""

    async def revoke_tokens(self, player_id: UUID, token_ids: Collection[UUID]) -> list[bytes]:
        """Revoke these of a player's tokens, all that they made, and what was announced with them; the hashes.

        Raises `LastToken`, see `doomed`.
        """

    async def use_tokens(self, token_ids: Collection[UUID], at: datetime) -> None:
        """These tokens were used."""

    async def announce(self, player_id: UUID, pending: Pending | None) -> None:
        """Keep what a player announced, in place of what was pending; None cancels it. Raises `UnknownPlayer`, and
        `UnknownToken` if its token was revoked."""

    async def replace_owner(self, player_id: UUID, announced: Pending) -> list[bytes]:
        """Revoke all tokens of a player but the one of this announcement, which no token made from now on; the hashes.

        Raises `Conflict` if it is not pending any more.
        """

    def revocations(self) -> AsyncGenerator[bytes | UUID | None, None]:
        """What is not true any more from now on: the hash of a token that is revoked, or the id of a player who is
        called otherwise; and None at least once a second while there is nothing.

        The first item is None: from there on none is missed. Raises `LogUnavailable`, also where none can be told.
        """


def doomed(tokens: Iterable[Token], token_ids: Collection[UUID]) -> set[UUID]:
    """Which of a player's tokens are revoked with these: those among them, and all that they made.

    Raises `LastToken` if the player would keep none that makes tokens forever, and has one.
    """
    known = {token.token_id: token for token in tokens}
    found = known.keys() & set(token_ids)
    while more := {one.token_id for one in known.values() if one.parent_id in found} - found:
        found |= more
    lasting = {token.token_id for token in known.values() if token.expires_at is None and "account" in token.scopes}
    if found & lasting == lasting != set():
        raise LastToken("no other token of the player makes tokens forever")
    return found


def first_token(now: datetime) -> Token:
    """What a player registers with: it allows everything, for ever."""
    return Token(uuid4(), "first", ("read", "play", "account"), now)


async def called(log: PlayerStore, players: Iterable[str]) -> dict[str, str]:
    """What players are called, by id, as far as the log knows; a game from elsewhere may have ids that are none."""
    ids = set()
    for player in players:
        with suppress(ValueError):
            ids.add(UUID(player))
    return {str(player): name for player, name in (await log.names(list(ids))).items()} if ids else {}
