"""The command line with the toy plugged in: ``TOY=1,2 python -m tests.toy.mcmulti demo --ruleset wool_fair``."""

import tests.toy.plugged  # noqa: F401  (before the command line, which imports the API when it needs it)
from mcmulti.cli import main

if __name__ == "__main__":
    main()
