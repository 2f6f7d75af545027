"""``python -m mcmulti`` runs the command ``mcmulti``."""

from mcmulti.cli import main

main()
