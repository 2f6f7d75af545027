"""House bots, which take over for players who left, at tables that agreed on it. To the rules they are nobody."""

from mcmulti.domain.core.table import Table

HOUSE = tuple(f"686f7573-6520-4626-8f74-{number:012x}" for number in range(1, 5))
"""The ids of house bots, the same on every server. Nobody registers under them. Each can have one seat at a table."""


def people(state: Table) -> tuple[int, ...]:
    """The seats of a started game that people sit on, not house bots."""
    return tuple([seat for seat in state.taken if state.player_ids[seat] not in HOUSE])
