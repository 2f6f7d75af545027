"""The faces of the rule sets that can be shown."""

from mcmulti.demo.box import BOX
from mcmulti.demo.face import Face
from mcmulti.demo.postal import POSTAL

FACES: dict[str, Face] = {"mcmulti": BOX, "postal": POSTAL}
"""By the name of the rule set."""
