"""MarraCash, the box game of 1996, for three or four players."""

from mcmulti.domain.core import every_table
from mcmulti.domain.core.capabilities.instructions import sealed
from mcmulti.domain.core.event import events_of
from mcmulti.domain.core.ruleset import Books, Commands, Ruleset
from mcmulti.domain.core.shown.redaction import Redaction
from mcmulti.domain.core.wording.texts import texts_in
from mcmulti.domain.marracash import table
from mcmulti.domain.marracash.components import COMPONENTS, PROPERTIES
from mcmulti.domain.marracash.flow import FLOW
from mcmulti.domain.marracash.gauges import TALLIES, gauges
from mcmulti.domain.marracash.phases import auction, ceilings, customers, entrances, moves, souvenirs, turns
from mcmulti.domain.marracash.phases.ceilings import CeilingSet, stand_in
from mcmulti.domain.marracash.phases.moves import StreetChoice
from mcmulti.domain.marracash.phrases import Phrases
from mcmulti.domain.marracash.picture import picture
from mcmulti.domain.marracash.positions import faults
from mcmulti.domain.marracash.state import Bazaar, MarraCashSetup
from mcmulti.domain.marracash.view import MarraCashView, view

EVENTS = events_of(
    *every_table.events_at(FLOW.capabilities), table, turns, auction, ceilings, moves, customers, souvenirs, entrances
)

TEXTS = texts_in(__package__, flow=FLOW, events=EVENTS, phrases=Phrases, components=COMPONENTS, properties=PROPERTIES)

RULESET: Ruleset[Bazaar] = Ruleset(
    name="marracash",
    version=1,
    title="MarraCash, edition of 1996",
    setup=MarraCashSetup,
    commands=Commands(moves=FLOW.moves, automatic=FLOW.by_itself, fields=(StreetChoice,)),
    events=EVENTS,
    state_type=Bazaar,
    view_type=MarraCashView,
    flow=FLOW,
    faults=faults,
    view=view,
    texts=TEXTS,
    books=Books(money="dirham", gauges=gauges, priced=True),
    tallies=TALLIES,
    picture=picture,
    redactions=(Redaction(type=CeilingSet.__name__, sealed=sealed, stand_in=stand_in),),
    bots=("random", "merchant"),
)
