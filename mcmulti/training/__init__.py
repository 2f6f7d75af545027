"""Environments to train on: games for PettingZoo and Gymnasium. Their packages are an extra."""

from importlib.util import find_spec

if missing := [name for name in ("gymnasium", "numpy", "pettingzoo", "PIL") if find_spec(name) is None]:
    raise ImportError(f"mcmulti.training needs {', '.join(missing)}: pip install 'mcmulti[training]'")

from typing import Any

from mcmulti.training.aec import MOST_STEPS, TurnsEnv
from mcmulti.training.rewards import Reward

__all__ = ["env"]


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
