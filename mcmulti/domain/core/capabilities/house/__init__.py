"""House bots: they take over for players who left, until those come back."""

from typing import TYPE_CHECKING, Any, ClassVar

from mcmulti.domain.core.capabilities import leaving
from mcmulti.domain.core.capabilities.leaving.departures import departures_of
from mcmulti.domain.core.offers import Limit, Offer, Rejection, TextChoice
from mcmulti.domain.core.table import HOUSE, people

if TYPE_CHECKING:
    from mcmulti.domain.core.flow import GameFlow

RULE = "table/house"
NEEDS_CLOCK = Limit("house_needs_clock", RULE)


class HouseBots(leaving.PlaysOn, frozen=True, kw_only=True):
    """House bots, at tables that agreed on them for vacant seats."""

    room: ClassVar[str] = __name__
    needs: ClassVar[tuple[str, ...]] = (leaving.__name__,)
    limits: ClassVar[tuple[Limit, ...]] = (Limit("reserved", RULE), NEEDS_CLOCK)

    def unfit(self, game: "GameFlow[Any]", setup: Any) -> Rejection | None:
        """A house bot needs a table with time limits, so that no abandoned table keeps it busy forever."""
        return NEEDS_CLOCK.rejection("if_left") if setup.if_left == "bot" and not game.waits(setup) else None

    def concerns(self, setup: Any) -> bool:
        return bool(setup.if_left == "bot")

    def offers_to_server(self, game: "GameFlow[Any]", state: Any) -> tuple[Offer, ...]:
        """A house bot may take a vacant seat, and the player who left may take it back."""
        if state.setup.if_left != "bot":
            return ()
        left = set(range(len(state.player_ids))) - set(people(state))
        back = [_seats((seat,), (departures_of(state).tenants[seat][0],)) for seat in sorted(left)]
        return (*back, *([_seats(state.vacant, HOUSE)] if state.vacant else ()))


def _seats(vacant: tuple[int, ...], players: tuple[str, ...]) -> Offer:
    """Offer seats of a running game to these players alone."""
    return Offer("TakeSeat", RULE, {"player": TextChoice(players, "reserved"), **leaving.vacant_seats(vacant)})
