"""House bots, who play on for people that left, at tables which agreed on that: to the rules they are nobody."""

from mcmulti.domain.core.table import Table

HOUSE = tuple(f"686f7573-6520-4626-8f74-{number:012x}" for number in range(1, 5))
"""The ids of house bots, the same on every server: nobody registers under them. Each may have a seat at a table."""


def people(state: Table) -> tuple[int, ...]:
    """The seats of a game which has begun that somebody sits on who is no house bot."""
    return tuple([seat for seat in state.taken if state.player_ids[seat] not in HOUSE])
