"""McMulti, the box game of 2012, for two to four players."""

from mcmulti.domain.core.event import evolve, transfers
from mcmulti.domain.core.ruleset import Books, Commands, Dice, Ruleset, Texts
from mcmulti.domain.mcmulti.commands import MOVES, WEIGHTS, StartGame, TakeSeat
from mcmulti.domain.mcmulti.components import COMPONENTS, RULE_TEXTS
from mcmulti.domain.mcmulti.flow import VERSION, admit, carry_out, offers, open_game, status, to_move
from mcmulti.domain.mcmulti.gauges import PERIODS, gauges, outcome
from mcmulti.domain.mcmulti.limits import LIMITS
from mcmulti.domain.mcmulti.luck import luck, thrown
from mcmulti.domain.mcmulti.phrases import WORDS
from mcmulti.domain.mcmulti.picture import picture
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.mcmulti.telling import EVENTS, OFFERS, REFUSALS, tell
from mcmulti.domain.mcmulti.view import McMultiView, view
from mcmulti.domain.oil.offers import SiteChoice
from mcmulti.domain.oil.phrases import PROPERTIES

RULESET: Ruleset[State] = Ruleset(
    name="mcmulti",
    version=VERSION,
    title="McMulti (Crude), edition of 2012",
    setup=Setup,
    commands=Commands(moves=MOVES, joining=TakeSeat, starting=StartGame, fields=(SiteChoice,), weights=WEIGHTS),
    events=EVENTS,
    state_type=State,
    view_type=McMultiView,
    open=open_game,
    offers=offers,
    admit=admit,
    carry_out=carry_out,
    evolve=evolve,
    view=view,
    status=status,
    to_move=to_move,
    turn=lambda state: state.turn.number if state.turn else 0,
    outcome=outcome,
    texts=Texts(
        rules=RULE_TEXTS,
        words=WORDS,
        limits=LIMITS,
        tell=tell,
        tell_offer=OFFERS.tell,
        tell_refusal=REFUSALS.tell,
        components=COMPONENTS,
        properties=PROPERTIES,
    ),
    books=Books(transfers=transfers, money="dollars", gauges=gauges, periods=PERIODS),
    dice=Dice(thrown=thrown, luck=luck),
    picture=picture,
)
