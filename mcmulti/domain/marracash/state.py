"""The state of a game, and its setup."""

from collections.abc import Iterator
from typing import Annotated, Literal, Self

from msgspec import Meta, Struct
from msgspec.structs import replace

from mcmulti.domain.core.course.course import Course
from mcmulti.domain.core.figures import MOST, Seat
from mcmulti.domain.core.in_turn import SetupInTurn, TableInTurn
from mcmulti.domain.core.tuples import put
from mcmulti.domain.marracash.components import COLOURS, COMPONENTS, LEAST_BID, SHOPS, SIGNS, STEP, Colour, ShopName
from mcmulti.domain.marracash.town import ENTRANCES, FOUNTAINS

Dirham = Annotated[int, Meta(ge=0, le=MOST, description="Dirham.")]
Visitors = Annotated[int, Meta(ge=0, le=54, description="Visitors, or customers.")]
Fountain = Annotated[int, Meta(ge=1, le=16, description="Number of a fountain.")]
Phase = Literal["seating", "setting_up", "actions", "bidding", "entrances", "over"]


Commission = Literal["move", "customer"]
"""Two interpretations of the rulebook: the commission is based on a shop's income in a move, or on each payment."""


Souvenirs = Literal["none", "open"]
"""Whether the game is played with the souvenir cards."""


class MarraCashSetup(SetupInTurn, frozen=True, gc=False, forbid_unknown_fields=True):
    """The setup of a game of MarraCash. `seats`: how many play (`setup/seats`)."""

    seats: Annotated[int, Meta(ge=3, le=4)] = 4
    commission: Annotated[
        Commission,
        Meta(
            description="What decides the commission for a customer (`customer/commission`): what the shop takes in the"
            " move (`move`), or what the customer pays (`customer`)."
        ),
    ] = "move"
    souvenirs: Annotated[
        Souvenirs,
        Meta(description="Whether customers buy souvenirs from two `open` cards (`souvenirs/open`), or `none`."),
    ] = "none"


class Souvenir(Struct, frozen=True, gc=False):
    """A card: the `colour` of the shops that can sell it, and what it brings them, in `dirham`. No two are alike."""

    colour: Colour
    dirham: Dirham


CARDS: tuple[Souvenir, ...] = tuple(
    Souvenir(colour, dirham) for colour in COLOURS for dirham in COMPONENTS["souvenirs"][colour]
)


class Crowd(Struct, frozen=True, gc=False, omit_defaults=True):
    """Visitors who stand together, by color."""

    red: Visitors = 0
    blue: Visitors = 0
    green: Visitors = 0
    yellow: Visitors = 0
    purple: Visitors = 0

    def visitors(self, colour: Colour) -> int:
        """The number of visitors of this color."""
        number: int = getattr(self, colour)
        return number

    def __iter__(self) -> Iterator[tuple[Colour, int]]:
        """The colors present, with the number of visitors of each."""
        return ((colour, number) for colour in COLOURS if (number := self.visitors(colour)))

    def __len__(self) -> int:
        """The total number of visitors."""
        return self.red + self.blue + self.green + self.yellow + self.purple

    def and_more(self, more: "Crowd") -> "Crowd":
        """Both crowds together."""
        return Crowd(
            self.red + more.red,
            self.blue + more.blue,
            self.green + more.green,
            self.yellow + more.yellow,
            self.purple + more.purple,
        )

    def without(self, colour: Colour, number: int) -> "Crowd":
        """The crowd after N visitors of a color left."""
        return replace(self, **{colour: self.visitors(colour) - number})


NOBODY = Crowd()


class Shop(Struct, frozen=True, gc=False):
    """A shop: the seat whose sign is on it, None before it is sold, and how many customers are in it."""

    owner: Seat | None = None
    customers: Visitors = 0


class Auction(Struct, frozen=True, gc=False):
    """A shop that is up for auction.

    `shop`: its name. `auctioneer`: the seat that put it up. `bid`: the highest so far, in dirham. `bidder`: the seat
    that made it. `asked`: the seat that is asked now, null for none. `passed`: the seats that are out of this auction.
    """

    shop: ShopName
    auctioneer: Seat
    bid: Dirham
    bidder: Seat
    asked: Seat | None
    passed: tuple[Seat, ...] = ()


class Bazaar(TableInTurn, frozen=True, kw_only=True):
    """A game at one moment.

    `groups`: by fountain, from the first. `seat`: whose turn it is. `left`: how many actions it still has. `may_move`:
    whether one of them may be a move. `stirred`: whether anything happened in this round that `table/standstill`
    counts. `quiet`: how many rounds before it nothing did. `last_turns`: how many turns come after this one, None
    before the last round. `ceilings`: the most that each seat bids in this auction, None for none, 0 if it is sealed;
    empty as long as no seat has one. `souvenirs`: the open cards. `unseen`: those that were never open.
    """

    setup: MarraCashSetup
    cash: tuple[Dirham, ...] = ()
    shops: tuple[Shop, ...] = (Shop(),) * len(SHOPS)
    groups: tuple[Crowd, ...] = (NOBODY,) * len(FOUNTAINS)
    queue: tuple[Colour, ...] = ()
    first: int = 0
    seat: int = 0
    turn: int = 0
    round: int = 0
    left: int = 0
    may_move: bool = False
    auction: Auction | None = None
    stirred: bool = False
    quiet: int = 0
    last_turns: int | None = None
    winners: tuple[int, ...] = ()
    ceilings: tuple[int | None, ...] = ()
    souvenirs: tuple[Souvenir, ...] = ()
    unseen: tuple[Souvenir, ...] = CARDS

    def vacated(self, seat: int) -> Self:
        """The state after this seat became vacant, and out of the auction."""
        return super().vacated(seat).with_ceiling(seat, None)

    def called_off(self) -> Self:
        """The state in which the game is over without a winner; its phase shows that."""
        return self

    @property
    def phase(self) -> Phase:
        """What is decided now."""
        if not self.cash:
            return "seating"
        if self.winners or self.departures.ended == "called_off":
            return "over"
        if not self.turn:
            return "setting_up"
        if self.auction:
            return "bidding"
        return "actions" if self.left else "entrances"

    @property
    def movers(self) -> tuple[int, ...]:
        """The seat that is asked for a bid, or whose turn it is; none while visitors arrive."""
        match self.phase:
            case "bidding":
                return () if self.now.asked is None else (self.now.asked,)
            case "actions" | "entrances":
                return (self.seat,)
        return ()

    @property
    def now(self) -> Auction:
        """The current auction. Raises `LookupError` if there is none."""
        if self.auction is None:
            raise LookupError("no shop is put up")
        return self.auction

    def ceiling(self, seat: int) -> int | None:
        """The most that a seat bids in this auction; None if it has no ceiling, 0 if that is sealed."""
        return self.ceilings[seat] if self.ceilings else None

    def with_ceiling(self, seat: int, most: int | None) -> Self:
        """The state after a seat set this ceiling for this auction; None removes it."""
        if not self.ceilings and most is None:
            return self
        return replace(self, ceilings=put(self.ceilings or (None,) * len(self.cash), seat, most))

    def shop(self, name: str) -> Shop:
        """The shop with this name."""
        return self.shops[_NUMBER[name]]

    def with_shop(self, name: str, shop: Shop) -> tuple[Shop, ...]:
        """The shops, with this one changed."""
        return put(self.shops, _NUMBER[name], shop)

    def group(self, fountain: int) -> Crowd:
        """The visitors at a fountain."""
        return self.groups[fountain - 1]

    def with_group(self, fountain: int, group: Crowd) -> tuple[Crowd, ...]:
        """The groups, with another one at a fountain."""
        return put(self.groups, fountain - 1, group)

    def owned(self, seat: int) -> int:
        """The number of a seat's shops."""
        return [shop.owner for shop in self.shops].count(seat)

    def customers(self, seat: int) -> int:
        """The number of customers in all shops of a seat."""
        return sum([shop.customers for shop in self.shops if shop.owner == seat])

    @property
    def unsold(self) -> tuple[ShopName, ...]:
        """The shops without an owner."""
        return tuple([name for name, shop in zip(SHOPS, self.shops, strict=True) if shop.owner is None])

    @property
    def gathered(self) -> tuple[int, ...]:
        """The fountains with visitors."""
        return tuple([number for number, group in zip(FOUNTAINS, self.groups, strict=True) if group != NOBODY])

    @property
    def empty_entrances(self) -> tuple[int, ...]:
        """The entrances without visitors."""
        return tuple([number for number in ENTRANCES if self.group(number) == NOBODY])

    def unable_to_open(self, seat: int) -> str | None:
        """The limit that keeps a seat from putting up a shop (`auction/offer`); None if it can."""
        if self.owned(seat) >= SIGNS:
            return "signs"
        return "cash" if self.cash[seat] < LEAST_BID else None

    def unable_to_raise(self, seat: int, bid: int) -> Literal["signs", "cash"] | None:
        """Why a seat cannot bid more than this (`auction/bids`, `auction/signs`); None if it can."""
        if self.owned(seat) >= SIGNS:
            return "signs"
        return "cash" if self.cash[seat] < bid + STEP else None


_NUMBER: dict[str, int] = {name: number for number, name in enumerate(SHOPS)}


Play = Course[Bazaar]


def paid(cash: tuple[int, ...], seat: int, amount: int) -> tuple[int, ...]:
    """Everybody's cash after a seat got this amount, or paid it if negative."""
    return put(cash, seat, cash[seat] + amount)
