"""McMulti, the box game of 2012, for two to four players."""

from mcmulti.domain.core import every_table
from mcmulti.domain.core.event import events_of
from mcmulti.domain.core.ruleset import Books, Commands, Dice, Ruleset
from mcmulti.domain.core.wording.texts import texts_in
from mcmulti.domain.mcmulti import instructions, table
from mcmulti.domain.mcmulti.commands import WEIGHTS
from mcmulti.domain.mcmulti.components import COMPONENTS
from mcmulti.domain.mcmulti.flow import FLOW, turn
from mcmulti.domain.mcmulti.gauges import PERIODS, fetches, gauges, luck, thrown
from mcmulti.domain.mcmulti.news import cards as news_cards
from mcmulti.domain.mcmulti.news import consumer, effects, taxes, warming
from mcmulti.domain.mcmulti.phases import assets, dice, ending, operations, production, purchase, selling_out
from mcmulti.domain.mcmulti.phases.positions import faults
from mcmulti.domain.mcmulti.phrases import Phrases
from mcmulti.domain.mcmulti.picture import picture
from mcmulti.domain.mcmulti.setup import Setup, unfit
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.mcmulti.view import McMultiView, view
from mcmulti.domain.oil.names import SiteChoice
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
    effects,
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
    texts=TEXTS,
    books=Books(money="dollars", gauges=gauges, fetches=fetches, priced=True, valued=True, periods=PERIODS),
    dice=Dice(thrown=thrown, luck=luck),
    picture=picture,
    bots=("random", "tycoon", "magnate"),
)
