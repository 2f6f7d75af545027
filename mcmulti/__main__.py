"""``python -m mcmulti`` is the command ``mcmulti``."""

from mcmulti.cli import main

main()
