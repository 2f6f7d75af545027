"""An event-sourced rules engine with a REST API for the board game McMulti (also known as Crude).

`__all__` lists the public names of the Python library; docs/how-to/use-the-python-library.md explains them.
"""

TYPE_CHECKING = False  # as `typing.TYPE_CHECKING`, without the time to import `typing`
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
"""The module of each public name. Modules are imported on first use, so that commands start without them."""


if not TYPE_CHECKING:  # so that type checkers report an unknown name

    def __getattr__(name: str) -> object:
        from importlib import import_module

        for module, names in _PLACES.items():
            if name in names:
                return getattr(import_module(f"mcmulti.library.{module}"), name)
        raise AttributeError(f"module 'mcmulti' has no attribute {name!r}")


def __dir__() -> list[str]:
    """The names that notebooks complete."""
    return __all__
