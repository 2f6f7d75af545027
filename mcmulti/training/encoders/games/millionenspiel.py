"""The Millionenspiel as numbers. Everything is open."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from mcmulti.domain.core.offers import Choice, Offer, Range
from mcmulti.domain.millionenspiel import RULESET
from mcmulti.domain.millionenspiel.components import CARDS, FIELDS, STANDSTILL
from mcmulti.domain.millionenspiel.phases.pensions import BuyPension
from mcmulti.domain.millionenspiel.phases.staking import Stake
from mcmulti.domain.millionenspiel.phases.throwing import AcceptThrow, DeclineThrow
from mcmulti.domain.millionenspiel.pieces import KINDS, MOST_OF_A_KIND, Pieces
from mcmulti.domain.millionenspiel.state import Millionenspiel, Player
from mcmulti.training.actions import ActionFamily, Product
from mcmulti.training.encoders.generic import Subject
from mcmulti.training.layout import Part, around, by_seat, figure, one_of, phases, seat_with, seats_with, waiting

QUARTERS = (1, 2, 3, 4)
"""The fractions of every kind that can be staked together, in quarters."""


class Stakes(ActionFamily, frozen=True):
    """Stakes: none; one to ten pieces of one kind, kind by kind; a quarter, half, three quarters, or all of each kind.

    Fractions of pieces are rounded down. If several actions lead to the same stake, only the first is legal.
    """

    @property
    def size(self) -> int:
        return 1 + len(KINDS) * MOST_OF_A_KIND + len(QUARTERS)

    def legal(self, offers: Sequence[Offer], home: int) -> Sequence[int]:
        [offer] = offers
        has = _most(offer)
        legal = [0]
        for number, most in enumerate(has):
            first = 1 + number * MOST_OF_A_KIND
            legal += range(first, first + min(most, MOST_OF_A_KIND))
        first = 1 + len(KINDS) * MOST_OF_A_KIND
        return [*legal, *(first + number for number in range(len(QUARTERS)) if _new(has, number))]

    def command_for(self, index: int, offers: Sequence[Offer], home: int) -> Struct | None:
        if not index:
            return Stake()
        [offer] = offers
        kind, pieces = divmod(index - 1, MOST_OF_A_KIND)
        if kind < len(KINDS):
            return Stake(**{tuple(KINDS)[kind]: pieces + 1})
        has = _most(offer)
        return Stake(*_part(has, QUARTERS[pieces])) if _new(has, pieces) else None

    def description(self) -> str:
        kinds = ", ".join(KINDS)
        return (
            f"none; 1 to {MOST_OF_A_KIND} pieces of one kind and none of the others, for each kind ({kinds}); a"
            " quarter, half, three quarters, all of each kind, rounded down, if different from those before"
        )


def _most(offer: Offer) -> tuple[int, ...]:
    """The most pieces of each kind that an offer admits."""
    return tuple([field.max for name in KINDS if isinstance(field := offer.fields[name], Range)])


def _part(has: Sequence[int], quarters: int) -> tuple[int, ...]:
    return tuple([number * quarters // 4 for number in has])


def _new(has: Sequence[int], number: int) -> bool:
    """Whether this fraction of each kind differs from the stakes of all earlier actions."""
    part = _part(has, QUARTERS[number])
    one_kind = [pieces for pieces in part if pieces]
    alone = len(one_kind) < 2 and sum(part) <= MOST_OF_A_KIND
    return not alone and part not in [_part(has, fewer) for fewer in QUARTERS[:number]]


class Payments(ActionFamily, frozen=True):
    """Ways to pay for a card: the one with the highest pieces, and the one with the lowest."""

    @property
    def size(self) -> int:
        return 2

    def legal(self, offers: Sequence[Offer], home: int) -> Sequence[int]:
        return range(min(len(offers), self.size))

    def command_for(self, index: int, offers: Sequence[Offer], home: int) -> Struct | None:
        if index >= len(offers):
            return None
        offer = offers[-index]
        fields = {name: field.options[0] for name, field in offer.fields.items() if isinstance(field, Choice)}
        return self.command(**fields)

    def description(self) -> str:
        return "the next card, paid with the highest pieces that come to its price; with the lowest, if that differs"


_FAMILIES = (Stakes(Stake), Payments(BuyPension), Product(AcceptThrow, {}), Product(DeclineThrow, {}))


def _pieces(seats: int, held: Callable[[Player], Pieces]) -> Callable[[Millionenspiel, int], Sequence[float]]:
    return lambda state, seat: [number for each in around(seat, seats) for number in held(state.players[each]).counts]


def _throw(state: Millionenspiel, seat: int) -> Sequence[float]:
    if not state.throws:
        return (0.0,) * 12
    throw = state.throws[-1]
    return (*one_of(throw.first.value, range(1, 7)), *one_of(throw.second.value, range(1, 7)))


def _parts(seats: int) -> Sequence[Part]:
    kinds = ", ".join(KINDS)
    return (
        phases("staking", "declining"),
        waiting(seats),
        seat_with("roller", seats, "it has the dice", "roller"),
        seats_with("to_stake", seats, "it has not had its stake in this round", "waiting"),
        by_seat(
            "money",
            seats,
            "all that each seat has, in hundreds of thousands",
            lambda state: [player.money for player in state.players],
            100_000,
            50.0,
        ),
        Part(
            "purse",
            seats * len(KINDS),
            f"for each seat: pieces in hand of each kind ({kinds}), in tens",
            _pieces(seats, lambda player: player.purse),
            10,
            10.0,
        ),
        Part(
            "stake",
            seats * len(KINDS),
            "for each seat: pieces at stake of each kind, in tens",
            _pieces(seats, lambda player: player.stake),
            10,
            10.0,
        ),
        Part(
            "pension",
            seats * len(CARDS),
            f"for each seat: 1 for its card ({', '.join(map(str, CARDS))})",
            lambda state, seat: [
                number for each in around(seat, seats) for number in one_of(state.players[each].pension, CARDS)
            ],
        ),
        figure("bought", "1 if the player asked for a stake bought a card", "bought"),
        figure("staked", "1 if somebody staked something in this round", "staked"),
        Part(
            "pawn",
            FIELDS,
            "1 for the field that the pawn stands on, from the one with the arrow",
            lambda state, seat: one_of(state.pawn, range(FIELDS)),
        ),
        Part("throw", 12, "for each face of the first die, then of the second: 1 if it shows", _throw),
        figure("idle", f"rounds in which all passed, in parts of {STANDSTILL}", "idle", STANDSTILL),
        figure("round", "number of the round, in hundreds", "round", 100, 10.0),
    )


SUBJECT = Subject(
    ruleset=RULESET,
    families=_FAMILIES,
    parts=_parts,
    lost="Stakes of several kinds in other parts than quarters; other ways to pay for a card than two.",
)
