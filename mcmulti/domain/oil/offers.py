"""Additional kinds of offer fields in the oil games."""

from mcmulti.domain.core.offers import Choice
from mcmulti.domain.oil.site import Site


class SiteChoice(Choice[Site], frozen=True, gc=False, omit_defaults=True, tag=True):
    """A field that takes one of the listed sites. `limited_by` is the limit that keeps other sites out."""
