"""Every event of the box game, and the game's texts for people: events, offers, refusals."""

from mcmulti.domain.core import every_table
from mcmulti.domain.core.event import events_of
from mcmulti.domain.core.wording.texts import texts_in
from mcmulti.domain.mcmulti import instructions, table
from mcmulti.domain.mcmulti.components import COMPONENTS
from mcmulti.domain.mcmulti.flow import FLOW
from mcmulti.domain.mcmulti.news import cards as news_cards
from mcmulti.domain.mcmulti.news import consumer, shortages, taxes, warming
from mcmulti.domain.mcmulti.phases import assets, dice, ending, operations, production, purchase, selling_out
from mcmulti.domain.mcmulti.phrases import Phrases
from mcmulti.domain.oil.phrases import PROPERTIES
from mcmulti.domain.oil.rules import assets as buying
from mcmulti.domain.oil.rules import ending as end
from mcmulti.domain.oil.rules import trading

EVENTS = events_of(
    *every_table.events_at(FLOW.capabilities),
    table,
    purchase,
    buying,
    news_cards,
    taxes,
    warming,
    shortages,
    consumer,
    trading,
    dice,
    production,
    operations,
    assets,
    end,
    ending,
    selling_out,
    instructions,
)

TEXTS = texts_in(__package__, flow=FLOW, events=EVENTS, phrases=Phrases, components=COMPONENTS, properties=PROPERTIES)
