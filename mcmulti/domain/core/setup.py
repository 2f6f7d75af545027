"""What people agree on before any game, whatever is played."""

from msgspec import Struct


class TableSetup(Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """Base of the setups of all rule sets. A game adds `seats`, what is its own, and an option of each capability that
    it has.
    """
