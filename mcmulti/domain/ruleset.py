"""What a rule set is: a value with pure functions. The engine above knows nothing else about a game."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from msgspec import Struct

from mcmulti.domain.chance import Chance
from mcmulti.domain.course import Fact
from mcmulti.domain.offers import Limit, Offer, Rejection
from mcmulti.domain.posting import Posting

S = TypeVar("S")


class Decision(NamedTuple, Generic[S]):
    """What follows from a command: the facts, and the state after them."""

    facts: Sequence[Fact]
    state: S


class Ruleset(Struct, Generic[S], frozen=True, kw_only=True):
    """A game's rules. `(name, version)` stands in the first event and decides for ever what folds the log.

    `seat` is None for somebody who has no seat. Every function is pure: chance is an argument.
    """

    name: str
    version: int
    title: str
    setup: type[Struct]
    """What a game is created with; decoded strictly from the request."""
    moves: tuple[type[Struct], ...]
    """The commands that seats send, tagged by their names."""
    joining: type[Struct]
    """The command the server makes when somebody sits down: player, name, seat, entropy."""
    events: tuple[type[Struct], ...]
    """Every event there is, tagged by its name."""
    view_type: type[Struct]
    """What `view` returns."""
    components: Mapping[str, Any]
    """Cards, markets and figures with their provenance, as published."""
    rules: Mapping[str, str]
    """The text of every rule, by its id."""
    limits: Mapping[str, Limit]
    """Every code a rejection can have, with its rule and its sentence."""

    open: Callable[[str, Any, Chance], Decision[S] | Rejection]
    """From a game id and a setup to the first event."""
    offers: Callable[[S, int | None], tuple[Offer, ...]]
    decide: Callable[[S, int | None, Any, Chance], Decision[S] | Rejection]
    evolve: Callable[[S | None, Any], S]
    view: Callable[[S, int | None], Struct]
    postings: Callable[[S | None, Any], tuple[Posting, ...]]
    setup_of: Callable[[S], Struct]
    """What the game was created with."""
    to_move: Callable[[S], tuple[int, ...]]
    """The seats the game waits for."""
    players: Callable[[S], tuple[str | None, ...]]
    """Who sits where, by seat: player ids."""
    status: Callable[[S], str]
    """``open``, ``running`` or ``finished``."""
