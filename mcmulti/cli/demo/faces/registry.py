"""The faces of the rule sets: that of some is their own."""

from mcmulti.cli.demo.faces.bazaar import BAZAAR
from mcmulti.cli.demo.faces.box import BOX
from mcmulti.cli.demo.faces.face import Face
from mcmulti.cli.demo.faces.plain import PLAIN
from mcmulti.cli.demo.faces.postal import POSTAL
from mcmulti.cli.demo.faces.ring import RING

_OWN: dict[str, Face] = {"mcmulti": BOX, "postal": POSTAL, "marracash": BAZAAR, "millionenspiel": RING}


def face_of(ruleset: str) -> Face:
    """How games of the rule set of this name are shown."""
    return _OWN.get(ruleset, PLAIN)
