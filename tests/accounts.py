"""What the state of a game says each account holds, whatever the rule set."""

from typing import Any

from mcmulti.domain.postal.state import State as PostalState
from tests.postal import test_random_games as by_post
from tests.properties import test_random_games as box


def held(state: Any) -> dict[str, tuple[str, int]]:
    """Unit and amount of every account of players and markets, counted from the state."""
    return by_post.held(state) if isinstance(state, PostalState) else box.held(state)
