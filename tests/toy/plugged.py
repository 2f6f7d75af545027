"""Plugs the toy into the list of rule sets: all that a further game needs beside its folder.

Import this before anything of `mcmulti.api`: as a plugin of pytest (``-p tests.toy.plugged``), or through
`tests.toy.mcmulti`. The variable ``TOY`` lists what is plugged in: ``1`` and ``2`` are versions of the wool fair, ``3``
is a stranger, and ``4`` is the dice race. By default, it is only the first version.
"""

import os
import sys
from typing import Any

from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.rulesets import BY_VERSION, CURRENT
from tests.toy import fair, fair_2, race, stranger

_ALL: dict[str, Ruleset[Any]] = {"1": fair.RULESET, "2": fair_2.RULESET, "3": stranger.RULESET, "4": race.RULESET}

if any(name.startswith("mcmulti.api") for name in sys.modules):
    raise ImportError("the toy comes too late: mcmulti.api is imported already")
for _number in os.environ.get("TOY", "1").split(","):
    _ruleset = _ALL[_number]
    BY_VERSION[_ruleset.name, _ruleset.version] = CURRENT[_ruleset.name] = _ruleset
