"""Training environments: games for PettingZoo and Gymnasium. Those packages are an extra."""

from importlib.util import find_spec

if missing := [name for name in ("gymnasium", "numpy", "pettingzoo", "PIL") if find_spec(name) is None]:
    raise ImportError(f"mcmulti.training needs {', '.join(missing)}: pip install 'mcmulti[training]'")

from typing import Any

import gymnasium

from mcmulti.domain.rulesets import CURRENT
from mcmulti.training.aec import TurnsEnv
from mcmulti.training.encoders.subjects import layout_of
from mcmulti.training.match import MOST_STEPS, Reward
from mcmulti.training.post import SheetsEnv

__all__ = ["IDS", "env", "layout_of", "parallel_env"]

IDS = {ruleset: f"mcmulti/{ruleset.title().replace('_', '')}-v0" for ruleset in CURRENT}
"""The id under which `gymnasium.make` makes one seat of each rule set, against house bots."""

for _ruleset, _id in IDS.items():
    gymnasium.register(_id, entry_point="mcmulti.training.seat:SeatEnv", kwargs={"ruleset": _ruleset})


def env(
    ruleset: str,
    *,
    reward: Reward = "win",
    max_steps: int = MOST_STEPS,
    render_mode: str | None = None,
    **setup: Any,
) -> TurnsEnv:
    """A game of a rule set as an AEC environment. `setup`: what the game is created with, as in the API, such as
    `seats=3`.

    `reward`: ``win``, ``rank``, or ``worth``. `max_steps`: the game is truncated after this many actions.
    `render_mode`: ``human``, ``ansi``, or ``rgb_array``. Raises `ValueError` for an unknown rule set, setup, or reward.
    """
    return TurnsEnv(ruleset, setup, reward, max_steps, render_mode)


def parallel_env(
    *,
    assets: int = 4,
    trades: int = 3,
    reward: Reward = "win",
    max_steps: int = MOST_STEPS,
    render_mode: str | None = None,
    **setup: Any,
) -> SheetsEnv:
    """A game by post in which all agents fill in their sheets at once. A step is a round.

    `assets` and `trades`: how many lines of each kind a sheet has. The other parameters are those of `env`.
    """
    return SheetsEnv(setup, assets, trades, reward, max_steps, render_mode)
