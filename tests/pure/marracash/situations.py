"""Situations in the rulebook's terms, and what follows from a move in them."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from mcmulti.domain.core.commands import StartGame, TakeSeat
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.offers import Offer, Rejection
from mcmulti.domain.core.table import presented
from mcmulti.domain.marracash import RULESET
from mcmulti.domain.marracash.commands import Bid, PassBid
from mcmulti.domain.marracash.components import COLOURS, Colour
from mcmulti.domain.marracash.state import CARDS, NOBODY, Bazaar, Crowd, MarraCashSetup, Shop, Souvenir
from tests.scripted_chance import ScriptedChance

NAMES = ("Ada", "Ben", "Cleo", "Dan")
CALLED = {f"player-{seat}": name for seat, name in enumerate(NAMES)}
ADA, BEN, CLEO, DAN = range(4)

QUEUE: tuple[Colour, ...] = COLOURS * 2
"""Ten visitors, two of each color: red first, purple last."""


def table(seats: int = 3) -> Bazaar:
    """A table before the start, with a player on every seat."""
    opened = RULESET.open("game", MarraCashSetup(seats=seats), ScriptedChance())
    assert not isinstance(opened, Rejection)
    state = presented(opened.state, CALLED)
    for seat in range(seats):
        state = after(state, None, TakeSeat(f"player-{seat}", seat))
    return state


def started(seats: int = 3, first: int = ADA) -> Bazaar:
    """A game in its first round. The first visitor in line who may come next is always drawn."""
    return after(table(seats), ADA, StartGame(), [*[1] * 54, first + 1])


def situation(
    players: int = 3,
    *,
    seat: int = ADA,
    cash: Mapping[int, int] | int = 1000,
    shops: Mapping[str, tuple[int, int]] | None = None,
    groups: Mapping[int, Crowd] | None = None,
    queue: Sequence[Colour] = QUEUE,
    left: int = 2,
    **more: Any,
) -> Bazaar:
    """In the second round, with both actions to do.

    `shops`: their owners and numbers of customers. `groups`: who stands at which fountain. Unless given, the entrances
    hold a purple visitor each.
    """
    purses = dict.fromkeys(range(players), 1000) | dict(cash) if isinstance(cash, Mapping) else cash
    state = replace(
        table(players),
        cash=tuple(purses[number] if isinstance(purses, dict) else purses for number in range(players)),
        queue=tuple(queue),
        seat=seat,
        turn=players + 1,
        round=2,
        left=left,
        may_move=True,
    )
    for name, (owner, customers) in (shops or {}).items():
        state = replace(state, shops=state.with_shop(name, Shop(owner, customers)))
    standing = {1: Crowd(purple=1), 8: Crowd(purple=1), 16: Crowd(purple=1)} | dict(groups or {})
    for number, group in standing.items():
        state = replace(state, groups=state.with_group(number, group))
    return replace(state, **more)


def empty_town(**more: Any) -> Bazaar:
    """The last round: nobody waits outside, and all visitors are in these `groups`."""
    groups = {1: NOBODY, 8: NOBODY, 16: NOBODY} | more.pop("groups", {})
    return situation(queue=(), groups=groups, last_turns=more.pop("last_turns", 2), **more)


def happened(state: Bazaar, seat: int | None, command: Struct, dice: Sequence[int] = ()) -> tuple[Bazaar, list[Event]]:
    """The state that a legal command leads to, and its events."""
    chance = ScriptedChance(dice)
    offer = RULESET.admit(state, seat, command)
    assert not isinstance(offer, Rejection), offer
    decision = RULESET.carry_out(state, seat, command, offer, chance)
    assert chance.unused == ()
    return decision.state, [fact.event for fact in decision.facts]


def after(state: Bazaar, seat: int | None, command: Struct, dice: Sequence[int] = ()) -> Bazaar:
    """The state that a legal command leads to."""
    return happened(state, seat, command, dice)[0]


def bidding(state: Bazaar, *bids: tuple[int, int | None]) -> Bazaar:
    """After these bids by these seats, in order. None is a pass."""
    for seat, bid in bids:
        state = after(state, seat, PassBid() if bid is None else Bid(bid))
    return state


def refused(state: Bazaar, seat: int | None, command: Struct) -> tuple[str, str]:
    """The code and the rule of the refusal."""
    rejection = RULESET.admit(state, seat, command)
    assert isinstance(rejection, Rejection), command
    return rejection.code, rejection.rule


def offered(state: Bazaar, seat: int) -> dict[str, list[Offer]]:
    """The offers of a seat, by command."""
    found: dict[str, list[Offer]] = {}
    for offer in RULESET.offers(state, seat):
        found.setdefault(offer.command, []).append(offer)
    return found


def with_souvenirs(state: Bazaar, *cards: Souvenir, unseen: Sequence[Souvenir] | None = None) -> Bazaar:
    """The same at a table with souvenirs, of which these are open."""
    setup = replace(state.setup, souvenirs="open")
    left = tuple(card for card in CARDS if card not in cards) if unseen is None else tuple(unseen)
    return replace(state, setup=setup, souvenirs=cards, unseen=left)
