"""Accounts: registered players, their names, and the tokens that authenticate them."""

from collections.abc import AsyncGenerator, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Literal, NamedTuple, Protocol
from uuid import UUID, uuid4

from mcmulti.events.ports.errors import LastToken

Kind = Literal["human", "bot"]
"""What a player claims to be."""


class Player(NamedTuple):
    """Somebody who can sit down at games; an erased player has an empty `name`.

    `origin`: the same for all players who registered from one address, None if that is not known. Only `players` sets
    it.
    """

    player_id: UUID
    name: str
    kind: Kind = "human"
    origin: bytes | None = None


Scope = Literal["read", "play", "account"]
"""What a token allows: read as its player, play, create and revoke tokens."""


class Token(NamedTuple):
    """The permissions of a player's token. It is valid until `expires_at`, or forever; `used_at` is accurate to the
    hour.

    `parent_id`: the token that created it, with which it is revoked; None if no token created it.
    """

    token_id: UUID
    name: str
    scopes: tuple[Scope, ...]
    created_at: datetime
    expires_at: datetime | None = None
    used_at: datetime | None = None
    parent_id: UUID | None = None

    def covers(self, other: "Token") -> bool:
        """Whether it allows everything that another one allows, for at least as long."""
        lasts = self.expires_at is None or (other.expires_at is not None and other.expires_at <= self.expires_at)
        return lasts and set(other.scopes) <= set(self.scopes)


Action = Literal["erase", "replace_owner_token"]
"""Irreversible actions, which take two steps."""


class Pending(NamedTuple):
    """An announced action of a player: it can be done from `due` on, only with this token."""

    action: Action
    token_id: UUID
    due: datetime


class Holder(NamedTuple):
    """The holder of a token, and the player's announced action."""

    player: Player
    token: Token
    pending: Pending | None = None


class PlayerStore(Protocol):
    """Registered players and their names. Any method can raise `LogUnavailable`."""

    async def add_player(self, player: Player, token: Token, token_hash: bytes) -> None:
        """Register a player with a first token, stored by its hash. Raises `NameTaken`."""

    async def player(self, player_id: UUID) -> Player | None:
        """The player with this id, erased or not."""

    async def players(self, player_ids: Sequence[UUID]) -> dict[UUID, Player]:
        """These players, in one query; unregistered ones are missing."""

    async def players_called(self, names: Sequence[str]) -> dict[str, Player]:
        """The players with these names, ignoring case, in one query; unused names are missing."""

    async def players_found(self, text: str, limit: int) -> list[UUID]:
        """Players, including visitors, whose names contain words with these prefixes; shortest names first.

        Words are compared like names: look-alikes are equal. A text without words finds nobody.
        """

    async def names(self, player_ids: Sequence[UUID]) -> dict[UUID, str]:
        """The names of these players, in one query; players without a name, or not known here, are missing.

        For players who never registered here, the name last given to `keep_names`.
        """

    async def rename(self, player_id: UUID, name: str) -> None:
        """Rename a player; the old name becomes free. Raises `NameTaken` and `UnknownPlayer`."""

    async def erase(self, player_id: UUID, announced: Pending | None = None) -> list[bytes]:
        """Erase a player's name, which becomes free, those of companions, and game records, and revoke all tokens.
        Returns the hashes of these.

        The id stays known, and nobody can be registered under it. Does nothing if the player was erased before. Raises
        `Conflict` if something was `announced` and is no longer pending.
        """

    async def keep_names(self, names: Mapping[UUID, str], companion_of: UUID | None = None) -> None:
        """Store names of players who never registered here: in games that were played elsewhere, or companions of a
        player, which are erased with that player.
        """


class TokenStore(Protocol):
    """Authentication tokens, stored as hashes. Any method can raise `LogUnavailable`."""

    async def add_token(self, player_id: UUID, token: Token, token_hash: bytes) -> None:
        """Give a player another token. Raises `Conflict` if there is already one with this hash, and `UnknownToken` if
        the one that created it was revoked.
        """

    async def holder(self, token_hash: bytes) -> Holder | None:
        """The holder of the token with this hash, even if it expired; None if nobody holds it, or if it was revoked."""

    async def tokens(self, player_id: UUID) -> list[Token]:
        """The tokens of a player that were not revoked, in the order of creation."""

    async def revoke_tokens(self, player_id: UUID, token_ids: Collection[UUID]) -> list[bytes]:
        """Revoke these of a player's tokens, all that they created, and actions announced with them. Returns the
        hashes.

        Raises `LastToken`, see `doomed`.
        """

    async def use_tokens(self, token_ids: Collection[UUID], at: datetime) -> None:
        """Record that these tokens were used."""

    async def forget_tokens(self, before: datetime, limit: int) -> int:
        """Delete at most `limit` tokens that were revoked or expired before a moment. Returns how many.

        One that created others goes after them, so that revoking an ancestor finds all that are left.
        """

    async def announce(self, player_id: UUID, pending: Pending | None) -> None:
        """Store an announced action of a player, replacing a pending one; None cancels it. Raises `UnknownPlayer`, and
        `UnknownToken` if its token was revoked.
        """

    async def replace_owner(self, player_id: UUID, announced: Pending) -> list[bytes]:
        """Revoke all tokens of a player except that of this announcement, which has no parent from now on. Returns the
        hashes.

        Raises `Conflict` if it is no longer pending.
        """

    def revocations(self) -> AsyncGenerator[bytes | UUID | None, None]:
        """Cached data to invalidate: the hash of a revoked token, or the id of a renamed player; and None at least once
        a second if there is nothing.

        The first item is None: from then on nothing is missed. Raises `LogUnavailable`, also if nothing can be
        delivered.
        """


def doomed(tokens: Iterable[Token], token_ids: Collection[UUID]) -> set[UUID]:
    """Which of a player's tokens are revoked with these: those themselves, and all that they created.

    Raises `LastToken` if the player has a permanent token that can create tokens, and would keep none.
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
    """The token created at registration: it allows everything, forever."""
    return Token(uuid4(), "first", ("read", "play", "account"), now)


async def called(log: PlayerStore, players: Iterable[str]) -> dict[str, str]:
    """Players' names, by id, as far as the log knows them. Ids in games from elsewhere may be invalid."""
    ids = set()
    for player in players:
        with suppress(ValueError):
            ids.add(UUID(player))
    return {str(player): name for player, name in (await log.names(list(ids))).items()} if ids else {}
