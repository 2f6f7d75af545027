"""Every event of the postal game, and the game's texts for people: events, offers, refusals."""

from mcmulti.domain.core import every_table
from mcmulti.domain.core.event import events_of
from mcmulti.domain.core.wording.texts import texts_in
from mcmulti.domain.oil.phrases import PROPERTIES
from mcmulti.domain.oil.rules import assets as buying
from mcmulti.domain.oil.rules import ending as end
from mcmulti.domain.oil.rules import production as operating
from mcmulti.domain.oil.rules import trading as dealing
from mcmulti.domain.postal import table
from mcmulti.domain.postal.components import COMPONENTS
from mcmulti.domain.postal.flow import FLOW
from mcmulti.domain.postal.phrases import Phrases
from mcmulti.domain.postal.refereeing import acting, assets, carrying_out, dice, ending, production, refereeing, trading
from mcmulti.domain.postal.sheets import defaults

EVENTS = events_of(
    *every_table.events_at(FLOW.capabilities),
    table,
    refereeing,
    defaults,
    carrying_out,
    acting,
    buying,
    assets,
    dealing,
    trading,
    dice,
    operating,
    production,
    end,
    ending,
)

TEXTS = texts_in(__package__, flow=FLOW, events=EVENTS, phrases=Phrases, components=COMPONENTS, properties=PROPERTIES)
