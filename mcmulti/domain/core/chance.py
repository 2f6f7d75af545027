"""Commit-reveal chance: every draw can be recomputed by anyone once the game is over.

Before the first draw the game publishes ``SHA-256(server seed)``, the commitment. Each seat may add entropy of its own
when it is taken, which the server cannot know when it commits. The seed is revealed when the game ends. Draw number k,
counted from 1 through the whole game, is::

    block(j) = HMAC-SHA256(server seed, "<game id>:<k>:<j>:<entropy>")        j = 0, 1, 2 ...

read as eight big-endian 32-bit words. The first word below the largest multiple of `sides` that fits in 32 bits
decides: ``1 + word mod sides``. Words above it are rejected, so no value is likelier than another. At the tables of a
series, the id of the series takes the place of the game's id in draws, so that all of them have the same dice.

What is sealed for a while, such as an order sheet, is salted, so that nobody can guess it from its digest. Salt number
n, counted from 1 through the whole game, is the first 16 bytes, in hexadecimal, of::

    HMAC-SHA256(server seed, "<game id>:salt:<n>")

If a bot of the server plays a seat, it chooses by a seed that nobody else can compute before the game is over. The seed
is the first 8 bytes, as a big-endian number without its last bit, of::

    HMAC-SHA256(server seed, "<game id>:bot:<seat>")
"""

import hmac
import struct
from collections.abc import Callable
from hashlib import sha256
from typing import Annotated, ClassVar, Protocol

from msgspec import Meta, Struct

from mcmulti.domain.core.figures import MOST

_WORDS = 2**32
_EIGHT_WORDS = struct.Struct(">8I")


class Draw(Struct, frozen=True, gc=False):
    """One draw: its number in the game (from 1), how many sides the die has, and the value, 1 to sides."""

    number: Annotated[int, Meta(ge=1, le=MOST)]
    sides: Annotated[int, Meta(ge=1, le=64)]
    value: Annotated[int, Meta(ge=1, le=64)]


class Chance(Protocol):
    """Source of dice for a decision. The same number and entropy always give the same value."""

    @property
    def commitment(self) -> str:
        """The commitment published before the first draw: 64 hexadecimal digits."""

    def value(self, number: int, sides: int, entropy: str) -> int:
        """Draw `number` of a die with `sides` sides: 1 to `sides`."""

    def salt(self, number: int) -> str:
        """Salt `number` for sealed data: 32 hexadecimal digits."""

    def unseal(self) -> None:
        """Open sealed data from here on. A trial ends here, as it does at the first die."""

    def reveal(self) -> str:
        """The server seed, 64 hexadecimal digits, for the event that ends the game."""


class SeededChance:
    """Chance for real games: a secret 32-byte seed, published after the game.

    `dice_id`: that of the series, at its tables; by default the game's. `withheld` draws and opens nothing, for
    commands before the one that may draw.
    """

    __slots__ = ("_dice_id", "_game_id", "_keyed", "_seed", "withheld")

    def __init__(self, seed: bytes, game_id: str, dice_id: str | None = None) -> None:
        self._seed = seed
        self._game_id = game_id
        self._dice_id = dice_id or game_id
        # Hashing the key once per game instead of once per draw halves the cost of a draw.
        self._keyed = hmac.new(seed, digestmod="sha256")
        self.withheld = WithheldChance(self.salt)

    @property
    def commitment(self) -> str:
        return sha256(self._seed).hexdigest()

    def value(self, number: int, sides: int, entropy: str) -> int:
        word: int
        accepted = _WORDS - _WORDS % sides
        block = 0
        while True:
            digest = self._hmac(f"{self._dice_id}:{number}:{block}:{entropy}")
            for word in _EIGHT_WORDS.unpack(digest):
                if word < accepted:
                    return 1 + word % sides
            block += 1

    def salt(self, number: int) -> str:
        return self._hmac(f"{self._game_id}:salt:{number}")[:16].hex()

    def unseal(self) -> None:
        pass

    def reveal(self) -> str:
        return self._seed.hex()

    def bot_seed(self, seat: int) -> int:
        """The seed with which a bot of the server plays this seat: 0 to 2**63 - 1."""
        return int.from_bytes(self._hmac(f"{self._game_id}:bot:{seat}")[:8]) >> 1

    def _hmac(self, message: str) -> bytes:
        """HMAC-SHA256 of a message under the seed."""
        code = self._keyed.copy()
        code.update(message.encode())
        return code.digest()


NO_SALT = "00" * 16


class ChanceWithheld(Exception):
    """A decision reached a draw that may not be made, or sealed data that may not be opened."""


class WithheldChance(Struct, frozen=True):
    """Chance that draws and opens nothing, so that trials reveal neither dice nor secrets.

    By default its salts are all zero: a trial stores nothing, so nothing needs to be sealed.
    """

    commitment: ClassVar[str] = ""

    salt: Callable[[int], str] = lambda number: NO_SALT

    def value(self, number: int, sides: int, entropy: str) -> int:
        raise ChanceWithheld

    def unseal(self) -> None:
        raise ChanceWithheld

    def reveal(self) -> str:
        raise ChanceWithheld
