"""What players agree on before any game."""

from msgspec import Struct


class TableSetup(Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """Base of the setups of all rule sets. A game adds `seats`, its own options, and the option of each of its
    capabilities.
    """
