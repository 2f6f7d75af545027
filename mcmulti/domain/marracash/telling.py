"""Every event of MarraCash, and the game's texts for people: events, offers, refusals."""

from mcmulti.domain.core import every_table
from mcmulti.domain.core.event import events_of
from mcmulti.domain.core.wording.texts import texts_in
from mcmulti.domain.marracash import table
from mcmulti.domain.marracash.components import COMPONENTS, PROPERTIES
from mcmulti.domain.marracash.flow import FLOW
from mcmulti.domain.marracash.phases import auction, ceilings, customers, entrances, moves, souvenirs, turns
from mcmulti.domain.marracash.phrases import Phrases

EVENTS = events_of(
    *every_table.events_at(FLOW.capabilities), table, turns, auction, ceilings, moves, customers, souvenirs, entrances
)

TEXTS = texts_in(__package__, flow=FLOW, events=EVENTS, phrases=Phrases, components=COMPONENTS, properties=PROPERTIES)
