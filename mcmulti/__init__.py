"""An event-sourced rules engine with a REST API for the board game McMulti (also known as Crude).

`__all__` are the public names of the Python library; docs/how-to/use-the-python-library.md explains them.
"""

TYPE_CHECKING = False  # to type checkers it is true, as that of `typing`, which takes longer to import than all of this
if TYPE_CHECKING:
    from mcmulti.library.actions import FreeForm, LegalActions
    from mcmulti.library.game import Game, load_game, registered_games
    from mcmulti.library.positions import BadPosition, open_position
    from mcmulti.library.record import Record, ReplayedMove, load_record
    from mcmulti.library.state import IllegalAction, PlayerId, State

__all__ = [
    "BadPosition",
    "FreeForm",
    "Game",
    "IllegalAction",
    "LegalActions",
    "PlayerId",
    "Record",
    "ReplayedMove",
    "State",
    "load_game",
    "load_record",
    "open_position",
    "registered_games",
]

_PLACES = {
    "actions": ("LegalActions", "FreeForm"),
    "game": ("Game", "load_game", "registered_games"),
    "positions": ("BadPosition", "open_position"),
    "record": ("ReplayedMove", "Record", "load_record"),
    "state": ("IllegalAction", "PlayerId", "State"),
}
"""Where the public names are, by module: they are imported when asked for, so that commands start without them."""


if not TYPE_CHECKING:  # so that a wrong name is an error to type checkers

    def __getattr__(name: str) -> object:
        from importlib import import_module

        for module, names in _PLACES.items():
            if name in names:
                return getattr(import_module(f"mcmulti.library.{module}"), name)
        raise AttributeError(f"module 'mcmulti' has no attribute {name!r}")


def __dir__() -> list[str]:
    """What notebooks complete."""
    return __all__
