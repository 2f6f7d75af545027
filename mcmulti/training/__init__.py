"""Training environments: games for PettingZoo and Gymnasium. Those packages are an extra."""

from importlib.util import find_spec

if missing := [name for name in ("gymnasium", "numpy", "pettingzoo", "PIL") if find_spec(name) is None]:
    raise ImportError(f"mcmulti.training needs {', '.join(missing)}: pip install 'mcmulti[training]'")

import gymnasium

from mcmulti.domain.rulesets import CURRENT
from mcmulti.training.aec import TurnsEnv
from mcmulti.training.encoders.subjects import layout_of
from mcmulti.training.post import SheetsEnv

__all__ = ["IDS", "env", "layout_of", "parallel_env"]

IDS = {ruleset: f"mcmulti/{ruleset.title().replace('_', '')}-v0" for ruleset in CURRENT}
"""The id under which `gymnasium.make` makes one seat of each rule set, against house bots."""

for _ruleset, _id in IDS.items():
    gymnasium.register(_id, entry_point="mcmulti.training.seat:SeatEnv", kwargs={"ruleset": _ruleset})

env = TurnsEnv
"""A game of any rule set in which agents act one after the other (AEC)."""
parallel_env = SheetsEnv
"""A game by post in which all agents act at once."""
