"""The board of a game as something to look at."""

from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.picture import Picture
from mcmulti.domain.telling import Language


def picture(state: State, language: Language) -> Picture:
    """The board at a moment."""
    return Picture(state.phase)
