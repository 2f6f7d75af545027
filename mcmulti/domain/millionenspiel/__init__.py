"""The Millionenspiel of 1982, for three to five players."""

from operator import attrgetter

from mcmulti.domain.core.ruleset import Books, Commands, Dice, Ruleset
from mcmulti.domain.millionenspiel.flow import FLOW
from mcmulti.domain.millionenspiel.luck import luck, thrown
from mcmulti.domain.millionenspiel.picture import picture
from mcmulti.domain.millionenspiel.positions import faults
from mcmulti.domain.millionenspiel.state import Millionenspiel, Setup
from mcmulti.domain.millionenspiel.tallies import TALLIES
from mcmulti.domain.millionenspiel.texts import EVENTS, TEXTS
from mcmulti.domain.millionenspiel.view import MillionenspielView, gauges, view

RULESET: Ruleset[Millionenspiel] = Ruleset(
    name="millionenspiel",
    version=1,
    title="Millionenspiel, edition of 1982",
    setup=Setup,
    commands=Commands(moves=FLOW.moves, automatic=FLOW.by_itself),
    events=EVENTS,
    state_type=Millionenspiel,
    view_type=MillionenspielView,
    flow=FLOW,
    faults=faults,
    view=view,
    turn=attrgetter("round"),
    texts=TEXTS,
    books=Books(money="money", gauges=gauges),
    dice=Dice(thrown=thrown, luck=luck),
    tallies=TALLIES,
    picture=picture,
    bots=("random", "gambler"),
)
