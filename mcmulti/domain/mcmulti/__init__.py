"""McMulti, the box game of 2012, for two to four players."""

from mcmulti.domain.core.ruleset import Books, Commands, Dice, Ruleset
from mcmulti.domain.mcmulti.commands import WEIGHTS
from mcmulti.domain.mcmulti.flow import FLOW, turn
from mcmulti.domain.mcmulti.phases.positions import faults
from mcmulti.domain.mcmulti.setup import Setup, unfit
from mcmulti.domain.mcmulti.shown.gauges import PERIODS, fetches, gauges, outcome
from mcmulti.domain.mcmulti.shown.luck import luck, thrown
from mcmulti.domain.mcmulti.shown.picture import picture
from mcmulti.domain.mcmulti.shown.view import McMultiView, view
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.mcmulti.telling import EVENTS, TEXTS
from mcmulti.domain.oil.names import SiteChoice

RULESET: Ruleset[State] = Ruleset(
    name="mcmulti",
    version=1,
    title="McMulti (Crude), edition of 2012",
    setup=Setup,
    unfit=unfit,
    commands=Commands(moves=FLOW.moves, automatic=FLOW.by_itself, fields=(SiteChoice,), weights=WEIGHTS),
    events=EVENTS,
    state_type=State,
    view_type=McMultiView,
    flow=FLOW,
    faults=faults,
    view=view,
    turn=turn,
    outcome=outcome,
    texts=TEXTS,
    books=Books(money="dollars", gauges=gauges, fetches=fetches, priced=True, valued=True, periods=PERIODS),
    dice=Dice(thrown=thrown, luck=luck),
    picture=picture,
    bots=("random", "tycoon", "magnate"),
)
