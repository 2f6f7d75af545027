"""Account balances counted from the state of a game, for any rule set."""

from typing import Any

from mcmulti.domain.mcmulti.components import FIELDS as BOX_FIELDS
from mcmulti.domain.mcmulti.state import State as BoxState
from mcmulti.domain.postal.components import FIELDS as POSTAL_FIELDS
from mcmulti.domain.postal.state import State as PostalState

Held = dict[str, tuple[str, int]]


def held(state: Any) -> Held:
    """Unit and amount of every account of players and markets, counted from the state."""
    return _by_post(state) if isinstance(state, PostalState) else _in_the_box(state)


def _in_the_box(state: BoxState) -> Held:
    accounts: Held = {"consumers": ("gasoline", state.consumer_barrels)}
    if not state.players:
        return {}
    for seat, player in enumerate(state.players):
        quadrants = [state.quadrants[index] for index in state.quadrants_of(seat)]
        accounts |= {
            f"seat:{seat}:cash": ("dollars", player.cash),
            f"seat:{seat}:crude": ("crude", player.crude),
            f"seat:{seat}:gasoline": ("gasoline", player.gasoline),
            f"seat:{seat}:rig": ("rig", sum(quadrant.rigs.bit_count() for quadrant in quadrants)),
            f"seat:{seat}:well": ("well", sum(quadrant.wells.bit_count() for quadrant in quadrants)),
            f"seat:{seat}:station": ("station", sum(quadrant.stations.bit_count() for quadrant in quadrants)),
            f"seat:{seat}:refinery": ("refinery", sum(quadrant.refineries.bit_count() for quadrant in quadrants)),
        }
    for name, market in (("domestic", state.domestic), ("foreign", state.foreign)):
        accounts[f"market:{name}:crude"] = ("crude", BOX_FIELDS - market.crude)
        accounts[f"market:{name}:gasoline"] = ("gasoline", BOX_FIELDS - market.gasoline)
    return accounts


def _by_post(state: PostalState) -> Held:
    accounts: Held = {}
    if not state.players:
        return accounts
    for seat, player in enumerate(state.players):
        accounts |= {
            f"seat:{seat}:cash": ("dollars", player.cash),
            f"seat:{seat}:crude": ("crude", player.crude),
            f"seat:{seat}:gasoline": ("gasoline", player.gasoline),
        }
        accounts |= {f"seat:{seat}:{kind}": (kind, number) for kind, number in state.pieces(seat).items()}
    for name, market in (("domestic", state.domestic), ("foreign", state.foreign)):
        accounts[f"market:{name}:crude"] = ("crude", POSTAL_FIELDS - market.crude)
        accounts[f"market:{name}:gasoline"] = ("gasoline", POSTAL_FIELDS - market.gasoline)
    return accounts
