"""Environments to train on: games for PettingZoo and Gymnasium. Their packages are an extra."""

from importlib.util import find_spec

if missing := [name for name in ("gymnasium", "numpy", "pettingzoo", "PIL") if find_spec(name) is None]:
    raise ImportError(f"mcmulti.training needs {', '.join(missing)}: pip install 'mcmulti[training]'")

from typing import Any

import gymnasium

from mcmulti.domain.rulesets import CURRENT
from mcmulti.training.aec import TurnsEnv
from mcmulti.training.encoders.subjects import layout_of
from mcmulti.training.match import MOST_STEPS
from mcmulti.training.post import SheetsEnv
from mcmulti.training.rewards import Reward

__all__ = ["IDS", "env", "layout_of", "parallel_env"]

IDS = {ruleset: f"mcmulti/{ruleset.title().replace('_', '')}-v0" for ruleset in CURRENT}
"""By rule set, under which id `gymnasium.make` makes a seat of it, against house bots."""

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
    """A game of a rule set as an AEC environment; `setup` is what it is created with, as in the API, as `seats=3`.

    `reward`: ``win``, ``rank`` or ``worth``. `max_steps`: after so many actions a game is cut off. `render_mode`:
    ``human``, ``ansi`` or ``rgb_array``. Raises `ValueError` for a rule set, a setup or a reward that there is not.
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
    """A game by post in which all fill in their sheets at once; a step is a round.

    `assets` and `trades`: how many lines of each kind a sheet has. All else is as in `env`.
    """
    return SheetsEnv(setup, assets, trades, reward, max_steps, render_mode)
