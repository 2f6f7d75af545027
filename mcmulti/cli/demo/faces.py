"""The faces of the rule sets that can be shown."""

from mcmulti.cli.demo.box import BOX
from mcmulti.cli.demo.face import Face
from mcmulti.cli.demo.postal import POSTAL

FACES: dict[str, Face] = {"mcmulti": BOX, "postal": POSTAL}
"""By the name of the rule set."""
